import { AsyncLocalStorage } from "node:async_hooks";

interface PageResponse {
  isMissing: boolean;
}

declare global {
  /** Next loads this module apart from the front door. */
  var almanacPageResponses: AsyncLocalStorage<PageResponse> | undefined;
}

function responses(): AsyncLocalStorage<PageResponse> {
  globalThis.almanacPageResponses ??= new AsyncLocalStorage();
  return globalThis.almanacPageResponses;
}

/** Runs Next for one request, and asks what its page said. */
export async function rendering(work: (response: Readonly<PageResponse>) => void | Promise<void>): Promise<void> {
  const response: PageResponse = { isMissing: false };
  await responses().run(response, () => work(response));
}

/** What the page is about does not exist. Counts until its first bytes are sent, which wait for its metadata. */
export function pageIsMissing(): void {
  const response = responses().getStore();
  if (response) response.isMissing = true;
}
