import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { resumeGivenUp, retryWrites } from "@/server/sync/retry-writes.sql";

/**
 * Makes writes due at once that wait because the profile's provider was down: it responds again. Throttled writes keep waiting. With
 * `ifAway`, only if the last sync found it down.
 */
export async function retryWritesNow(db: Database, profileId: string, { ifAway }: { ifAway: boolean }): Promise<void> {
  await run(db.query, retryWrites, [databaseTime(), profileId, ifAway]);
}

/**
 * Resumes writes that were given up while the provider was down, when it responds for the first time since. This runs before the
 * profile is read, so that the application's changes are kept. A write that failed while others succeeded stays given up. Writes that
 * an older process left suspended on a connected profile are resumed too.
 */
export async function resumeGivenUpWrites(db: Database, profileId: string): Promise<void> {
  const resumed = await run(db.query, resumeGivenUp, [databaseTime(), profileId]);
  if (resumed.length > 0) wake("push");
}
