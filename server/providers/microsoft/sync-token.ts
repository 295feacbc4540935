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
  /** When that was read first, by ours. */
  latestReadAt: Instant;
}

export function tokenText({ query, window: { from, to }, latest, latestReadAt }: ViewToken): string {
  return JSON.stringify({ query, from, to, latest, latestReadAt });
}

/** Throws `sync_token_expired` for a text that is none of ours. */
export function tokenOf(text: string): ViewToken {
  const { query, latest, ...times } = parsed(text);
  const [from, to, latestReadAt] = [times.from, times.to, times.latestReadAt].map(instantOf);
  if (typeof query !== "string" || !from || !to || !latestReadAt) throw expired("unreadable");
  return { query, window: { from, to }, latest: textOf(latest), latestReadAt };
}

/** Creates the error which says that everything has to be read again. */
export function expired(detail: string): ProviderError {
  return new ProviderError({ kind: "sync_token_expired" }, detail);
}

function instantOf(value: unknown): Instant | null {
  return typeof value === "number" ? (value as Instant) : null;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}
