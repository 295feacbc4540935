import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { syncEarlyStatement } from "@/server/store/mailboxes/sync-early.sql";

/**
 * Has a profile synced in so many milliseconds at the latest, for what is known to be due in it: its calendars are not listed before
 * their poll. Outside of transactions that hold a calendar: a disconnection locks the profile first.
 */
export async function syncEarly(db: Database, profileId: string, inMs: number): Promise<void> {
  await run(db.query, syncEarlyStatement, [[profileId], inMs, databaseTime()]);
  wake("sync", inMs);
}
