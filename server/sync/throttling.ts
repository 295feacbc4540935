import type { Database } from "@/server/db/client";
import type { Provider } from "@/server/domain/providers";
import { ProviderError } from "@/server/providers/connector";
import { pauseMailbox, pauseProvider } from "@/server/store/mailboxes/schedule";
import { throttledWait } from "@/server/sync/waits";

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
  const forMs = throttledWait(after);
  if (scope === "mailbox") await pauseMailbox(db, profileId, forMs);
  else await pauseProvider(db, provider, forMs);
}
