import type { Instant } from "@/server/domain/time/instant";
import type { Window } from "@/server/domain/window";
import { ProviderError } from "@/server/providers/connector";
import { objectOf, textOf } from "@/server/providers/json-values";

/** Where the next read of changes begins. */
export interface ViewToken {
  /** The query of Graph's delta link. Its path is ours, so that the address of Graph may change. */
  query: string;
  /** What the link is bound to ("These tokens … encode the startDateTime and endDateTime parameters"). */
  window: Window;
  /** The latest `lastModifiedDateTime` that was read, by Graph's clock. Null: there was none. */
  latest: string | null;
}

export function tokenText({ query, window: { from, to }, latest }: ViewToken): string {
  return JSON.stringify({ query, from, to, latest });
}

/** Throws `sync_token_expired` for a text that is none of ours. */
export function tokenOf(text: string): ViewToken {
  const { query, from, to, latest } = parsed(text);
  if (typeof query !== "string" || typeof from !== "number" || typeof to !== "number") throw expired("unreadable");
  return { query, window: { from: from as Instant, to: to as Instant }, latest: textOf(latest) };
}

/** Everything has to be read again. */
export function expired(detail: string): ProviderError {
  return new ProviderError({ kind: "sync_token_expired" }, detail);
}

function parsed(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}
