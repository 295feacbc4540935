import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { bringSyncForward } from "@/server/sync/ask-for-poll.sql";

/**
 * Has a profile polled now, as a write or a calendar asks for: that confirms that credentials are rejected, or reverts what was refused.
 * Not if the last sync ended with rejected credentials, which are confirmed when that is due.
 */
export async function askForPoll(db: Database, profileId: string): Promise<void> {
  await run(db.query, bringSyncForward, [profileId, databaseTime()]);
  wake("sync");
}
