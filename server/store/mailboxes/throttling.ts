import type { Database } from "@/server/db/client";
import { quotaOf } from "@/server/domain/provider-quotas";
import type { Provider } from "@/server/domain/providers";
import { ProviderError } from "@/server/providers/connector";
import { OUT_OF_QUOTA } from "@/server/store/mailboxes/provider-budget";
import { budgetOf, noteRefusal } from "@/server/store/mailboxes/provider-budgets";
import { pauseMailbox, pauseProvider } from "@/server/store/mailboxes/schedule";

/** A provider that asks for a longer wait is tried again after a day anyway. */
export const LONGEST_ASKED_MS = 24 * 60 * 60_000;
/** How long a provider that does not say for how long wants no requests. */
const UNKNOWN_THROTTLE_MS = 30_000;

/** What a request was made for. */
export interface ThrottledMailbox {
  profileId: string;
  provider: Provider;
  /** The id of the application's own client that it was connected by. Null: none. */
  ownClient: string | null;
}

/**
 * Notes a throttled request. One that counts for the mailbox pauses it. One that counts for the whole service cuts its
 * budget, and pauses the provider for as long as it asks. One that counts for an application's own client cuts the
 * budget of that, and pauses the mailbox.
 */
export async function noteThrottling(
  db: Database,
  { profileId, provider, ownClient }: ThrottledMailbox,
  thrown: unknown,
) {
  if (!(thrown instanceof ProviderError) || thrown.fault.kind !== "throttled") return;
  const { scope, after } = thrown.fault;
  if (scope === "request") return;
  const forMs = Math.min(after ?? UNKNOWN_THROTTLE_MS, LONGEST_ASKED_MS);
  const quota = quotaOf(provider);
  if (scope === "mailbox") await pauseMailbox(db, profileId, forMs);
  else if (quota === null) await pauseProvider(db, provider, forMs);
  else if (ownClient !== null) {
    await pauseMailbox(db, profileId, forMs);
    if (thrown.detail !== OUT_OF_QUOTA) await budgetOf(provider, ownClient)?.refused();
  } else if (thrown.detail !== OUT_OF_QUOTA) await noteRefusal(db, quota, after && forMs);
}
