import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { resumeStatement } from "@/server/store/provider-writes/suspended";

/**
 * Suspends the waiting writes of a profile, in the transaction that disconnects it: they wait for the user to reconnect, and no claim
 * reads them. A push in progress is finished. Rejected writes are suspended too, in case staff retry them.
 */
export async function suspendWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  const ofProfile = "calendar_id IN (SELECT id FROM calendars WHERE profile_id = $1)";
  await query(`UPDATE provider_writes SET suspended = true WHERE ${ofProfile} AND NOT suspended`, [profileId]);
}

/**
 * Resumes suspended writes, in the transaction that connects the profile again. Call `wake("push")` after the commit. The next sync
 * resumes those that an older process left suspended.
 */
export async function resumeWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  await query(freeing, [databaseTime(), profileId]);
}

/**
 * A concurrent write checks whether the profile is connected: it is either committed before this lock and found, or runs after it and
 * sees the new state.
 */
async function holdCalendars(query: Query, profileId: string): Promise<void> {
  await query("SELECT FROM calendars WHERE profile_id = $1 ORDER BY id FOR NO KEY UPDATE", [profileId]);
}

const freeing = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
held AS (SELECT id, created_at FROM provider_writes WHERE profile_id = $2 AND suspended)
${resumeStatement("held")}`;
