import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";

/**
 * Parks what waits for the provider of a profile, in the transaction that disconnects it: it waits for the person to connect again,
 * and no claim comes across it. What is being pushed just now comes to its end; what was refused waits, too, should staff retry it.
 */
export async function parkWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  const ofProfile = "calendar_id IN (SELECT id FROM calendars WHERE profile_id = $1)";
  await query(`UPDATE provider_writes SET parked = true WHERE ${ofProfile} AND NOT parked`, [profileId]);
}

/**
 * Lets what was parked go on, in the transaction that connects the profile again: in the order in which it was written, with its
 * waits and its two days begun anew; what the provider asked to be given time for keeps that. Call `wake("push")` after the commit.
 */
export async function unparkWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  await query(unparking, [databaseTime(), profileId]);
}

/** A write to them, which looks whether the profile is connected, is either before this and found, or after it and knows. */
async function holdCalendars(query: Query, profileId: string): Promise<void> {
  await query("SELECT FROM calendars WHERE profile_id = $1 ORDER BY id FOR NO KEY UPDATE", [profileId]);
}

/** Microseconds tell the order: claims know none but that of their times. */
const unparking = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
held AS (SELECT id, row_number() OVER (ORDER BY created_at, id) - 1 AS place FROM provider_writes
  WHERE profile_id = $2 AND parked)
UPDATE provider_writes w SET parked = false,
  due_at = CASE WHEN w.last_error = 'throttled' THEN greatest(w.due_at, t.now) ELSE t.now + make_interval(secs => held.place / 1e6) END,
  created_at = CASE WHEN w.refused_at IS NULL THEN t.now ELSE w.created_at END,
  attempts = CASE WHEN w.refused_at IS NULL THEN 0 ELSE w.attempts END
FROM held, t WHERE w.id = held.id`;
