import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { newId } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import type { Connectable } from "@/server/domain/providers";
import type { CalendarAccount } from "@/server/providers/connector";
import { queueRevocation } from "@/server/store/mailboxes/watches.sql";
import { sealedCredential } from "@/server/store/profiles/provider-tokens";

/**
 * Has a grant that led to no profile revoked at its provider, after a number of milliseconds. Keeps it if the same
 * calendar account is connected by then: a provider has one grant for a user and this service.
 */
export async function dropGrant(
  db: Database,
  { provider, account, afterMs }: { provider: Connectable; account: CalendarAccount; afterMs: number },
): Promise<void> {
  const profileId = newId("pro");
  const credential = seal(account.credential, sealedCredential(profileId));
  await run(db.query, queueRevocation, [profileId, provider, account.subject, credential, databaseTime(), afterMs]);
}
