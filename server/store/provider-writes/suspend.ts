import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { resumeStatement } from "@/server/store/provider-writes/suspended";

/**
 * Parks what waits for the provider of a profile, in the transaction that disconnects it: it waits for the person to connect again,
 * and no claim comes across it. What is being pushed just now comes to its end; what was refused waits, too, should staff retry it.
 */
export async function suspendWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  const ofProfile = "calendar_id IN (SELECT id FROM calendars WHERE profile_id = $1)";
  await query(`UPDATE provider_writes SET suspended = true WHERE ${ofProfile} AND NOT suspended`, [profileId]);
}

/**
 * Lets what was suspended go on, in the transaction that connects the profile again. Call `wake("push")` after the commit. What a process
 * that knows no parking connects is let go by the next sync.
 */
export async function resumeWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  await query(freeing, [databaseTime(), profileId]);
}

/** A write to them, which looks whether the profile is connected, is either before this and found, or after it and knows. */
async function holdCalendars(query: Query, profileId: string): Promise<void> {
  await query("SELECT FROM calendars WHERE profile_id = $1 ORDER BY id FOR NO KEY UPDATE", [profileId]);
}

const freeing = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
held AS (SELECT id, created_at FROM provider_writes WHERE profile_id = $2 AND suspended)
${resumeStatement("held")}`;
