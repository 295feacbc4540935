import type { Database } from "@/server/db/client";
import type { Provider } from "@/server/domain/providers";
import { ProviderError } from "@/server/providers/connector";
import { pauseMailbox, pauseProvider } from "@/server/store/mailboxes/schedule";

/** A provider that asks for a longer wait is tried again after a day anyway. */
export const LONGEST_ASKED_MS = 24 * 60 * 60_000;
/** How long a provider that does not say for how long wants no requests. */
const UNKNOWN_THROTTLE_MS = 30_000;

/** What a request was made for. */
export interface ThrottledMailbox {
  profileId: string;
  provider: Provider;
}

/** Notes a throttled request, after which nothing is read from the mailbox, or from any mailbox of the provider, and nothing is written to it for a while. */
export async function noteThrottling(db: Database, { profileId, provider }: ThrottledMailbox, thrown: unknown) {
  if (!(thrown instanceof ProviderError) || thrown.fault.kind !== "throttled") return;
  const { scope, after } = thrown.fault;
  if (scope === "request") return;
  const forMs = Math.min(after ?? UNKNOWN_THROTTLE_MS, LONGEST_ASKED_MS);
  if (scope === "mailbox") await pauseMailbox(db, profileId, forMs);
  else await pauseProvider(db, provider, forMs);
}
