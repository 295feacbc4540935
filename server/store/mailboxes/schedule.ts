import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import type { Provider } from "@/server/domain/providers";
import {
  pauseMailboxStatement,
  pauseProviderStatement,
  syncEarlyStatement,
} from "@/server/store/mailboxes/schedule.sql";

/**
 * Has a profile synced within a number of milliseconds for work known to be due: its calendars are not listed before
 * their poll. Call it outside of transactions that hold a calendar: a disconnection locks the profile first.
 */
export async function syncEarly(db: Database, profileId: string, inMs: number): Promise<void> {
  await run(db.query, syncEarlyStatement, [[profileId], inMs, databaseTime()]);
  wake("sync", inMs);
}

/** Pauses reads from and writes to a profile's provider for a number of milliseconds. An earlier, longer pause stays. */
export async function pauseMailbox(db: Database, profileId: string, forMs: number): Promise<void> {
  await run(db.query, pauseMailboxStatement, [profileId, forMs, databaseTime()]);
}

/** Pauses like `pauseMailbox`, for every profile of a provider. */
export async function pauseProvider(db: Database, provider: Provider, forMs: number): Promise<void> {
  await run(db.query, pauseProviderStatement, [provider, forMs, databaseTime()]);
}
