import { bool, command, float8, nullable, statement, text, textOf } from "@/server/db/statement";
import type { Work } from "@/server/db/wake";
import { workKinds } from "@/server/jobs/work-kinds";
import { isUnpaused, isUnthrottled } from "@/server/sync/slot-rows";
import { dueApplications } from "@/server/webhooks/claim.sql";

/** The most first syncs and providers' writes that a look finds. */
const MOST_FIRST = 100;
const MOST_WRITES = 5_000;
/** A bulk retry has a run of its own, which is given this time. */
const BULK_RETRY_GRACE_S = 5;

export interface Lead {
  /** Until when this process leads, as the database writes it. Null: another process does. */
  until: string | null;
  /** An Inngest server was asked for a run that has not come back. */
  isAwaited: boolean;
  /** It should have. */
  isAway: boolean;
  /** Seconds since the last one came back. */
  silentS: number;
}

/**
 * Takes or keeps the lead among processes. $1: the time to judge by, $2: for how many seconds, $3: until when this process
 * leads, null when it does not, $4: the id of the lead, $5: that of round trips.
 */
export const takeLead = statement<Lead>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
lead AS (UPDATE chores SET claimed_until = t.now + make_interval(secs => $2), done_at = t.now FROM t
  WHERE id = $4 AND (claimed_until IS NULL OR claimed_until <= t.now OR claimed_until = $3::timestamptz) RETURNING claimed_until)
SELECT (SELECT claimed_until::text FROM lead) AS until, c.claimed_until IS NOT NULL AS "isAwaited",
  coalesce(c.claimed_until <= t.now, false) AS "isAway", date_part('epoch', t.now - c.done_at) AS "silentS"
FROM chores c, t WHERE c.id = $5`,
  { until: nullable(text), isAwaited: bool, isAway: bool, silentS: float8 },
);

/** Notes that a round trip must be back within $3 seconds, unless one is awaited. $1: the time to judge by, $2: its id. */
export const awaitRoundTrip = command(
  `UPDATE chores SET claimed_until = coalesce($1::timestamptz, clock_timestamp()) + make_interval(secs => $3)
WHERE id = $2 AND claimed_until IS NULL`,
);

export interface DueWork {
  /** `first`: first syncs of mailboxes. */
  work: Work | "first";
  /** Of the application, the provider, or the profile. Empty: the work has no keys. */
  key: string;
  /** Of a profile. */
  provider: string | null;
}

const overdueBy = (seconds: number) =>
  `t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => ${seconds}) AS since)`;
const anyOf = (work: "notify" | "replay", seconds: number) =>
  `SELECT '${work}' AS work, '' AS key, NULL AS provider WHERE EXISTS (WITH ${overdueBy(seconds)} ${workKinds[work].overdue})`;

const isReadable = (lane: string) =>
  `s.readable AND ${lane} AND s.sync_due_at <= t.now AND (s.sync_leased_until IS NULL OR s.sync_leased_until <= t.now) AND ${isUnthrottled("s")}`;

/** The keys whose work is due. $1: the time to judge by, $2: the providers that there is a way to. */
export const dueWork = statement<DueWork>(
  `WITH RECURSIVE t AS MATERIALIZED (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
${dueApplications.ready},
providers AS (SELECT name::provider AS provider FROM unnest($2::text[]) AS asked(name), t WHERE ${isUnpaused("name::provider")}),
writes AS MATERIALIZED (SELECT w.profile_id FROM provider_writes w, t WHERE w.refused_at IS NULL AND NOT w.suspended AND w.due_at <= t.now
  AND (w.leased_until IS NULL OR w.leased_until <= t.now) ORDER BY w.due_at LIMIT ${MOST_WRITES})
${anyOf("notify", 0)}
UNION ALL ${anyOf("replay", BULK_RETRY_GRACE_S)}
UNION ALL SELECT 'deliver', application_id, NULL FROM (${dueApplications.all}) applications
UNION ALL SELECT 'sync', p.provider::text, NULL FROM providers p, t WHERE EXISTS (SELECT FROM profile_syncs s
  WHERE s.provider = p.provider AND ${isReadable("NOT s.first_sync")})
UNION ALL SELECT 'first', s.profile_id, s.provider::text FROM providers p CROSS JOIN t CROSS JOIN LATERAL (SELECT s.* FROM profile_syncs s
  WHERE s.provider = p.provider AND ${isReadable("s.first_sync")} ORDER BY s.sync_due_at LIMIT ${MOST_FIRST}) s
UNION ALL SELECT 'push', p.provider::text, NULL FROM providers p WHERE EXISTS (SELECT FROM writes w
  JOIN profile_syncs s ON s.profile_id = w.profile_id WHERE s.provider = p.provider AND s.readable)
  OR (SELECT count(*) FROM writes) = ${MOST_WRITES}`,
  { work: textOf<DueWork["work"]>(), key: text, provider: nullable(text) },
);
