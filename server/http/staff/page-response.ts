import { AsyncLocalStorage } from "node:async_hooks";
import { context } from "@/server/context";

export interface PageResponse {
  isMissing: boolean;
  /** Seconds; null: nothing failed that passes. */
  retryAfter: number | null;
}

function responses(): AsyncLocalStorage<PageResponse> {
  context.pageResponses ??= new AsyncLocalStorage();
  return context.pageResponses;
}

/** Runs Next for one request, and asks what its page said. */
export async function rendering(work: (response: Readonly<PageResponse>) => void | Promise<void>): Promise<void> {
  const response: PageResponse = { isMissing: false, retryAfter: null };
  await responses().run(response, () => work(response));
}

/**
 * Notes that what the page is about does not exist. Counts until its first bytes are sent, which wait for its metadata.
 */
export function pageIsMissing(): void {
  const response = responses().getStore();
  if (response) response.isMissing = true;
}

/** Notes that something failed that passes in so many seconds. Counts as long. */
export function pageMustWait(seconds: number): void {
  const response = responses().getStore();
  if (response) response.retryAfter = seconds;
}
