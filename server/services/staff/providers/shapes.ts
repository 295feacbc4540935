/** `not_responding`: for several mailboxes. `unused`: it has none. */
export type ProviderState = "ok" | "rate_limiting" | "not_responding" | "unused";

/** The health of a provider, as its JSON has it too. Times are ISO. Counts end at `MOST_COUNTED`. */
export interface ProviderHealth {
  provider: string;
  name: string;
  state: ProviderState;
  mailboxes: number;
  /** Mailboxes that could not be read several times in a row, since when the first of them, and the errors. */
  failing: number;
  failing_since: string | null;
  errors: { error: string; mailboxes: number }[];
  /** Mailboxes for which it wants no requests. Of all mailboxes: `throttled_all`. */
  throttled: number;
  throttled_all: boolean;
  /** Null: unknown, or it throttles single mailboxes alone. */
  throttled_since: string | null;
  throttled_until: string | null;
  /** Mailboxes with a push subscription that is alive. Null: it has none. */
  pushes: number | null;
  last_read_at: string | null;
  writes_waiting: number;
  /** Since when the first of them is due. Null: none is due yet. */
  writes_due_since: string | null;
}
