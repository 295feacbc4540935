import { bool, command, float8, int4, nullable, statement, text, textOf } from "@/server/db/statement";
import type { Work } from "@/server/db/wake";
import { workKinds } from "@/server/jobs/work-kinds";
import { isOpen } from "@/server/store/events/write-states";
import { isUnpaused } from "@/server/store/mailboxes/requests-accepted";
import { dueApplications } from "@/server/webhooks/claim.sql";

/** The most first syncs of a provider, and writes of all, that a look finds. */
const MOST_FIRST = 20;
const MOST_WRITES = 5_000;
/** A provider has a lane, which is a run, for so many due mailboxes or writes, up to a number of lanes. */
const LANE = 50;
const MOST_LANES = 8;
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
  /** Seconds since 1970, by the database's clock. */
  now: number;
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
  coalesce(c.claimed_until <= t.now, false) AS "isAway", date_part('epoch', t.now - c.done_at) AS "silentS",
  date_part('epoch', t.now) AS now
FROM chores c, t WHERE c.id = $5`,
  { until: nullable(text), isAwaited: bool, isAway: bool, silentS: float8, now: float8 },
);

/** Notes that a round trip must be back within $3 seconds, unless one is awaited. $1: the time to judge by, $2: its id. */
export const awaitRoundTrip = command(
  `UPDATE chores SET claimed_until = coalesce($1::timestamptz, clock_timestamp()) + make_interval(secs => $3)
WHERE id = $2 AND claimed_until IS NULL`,
);

/** Ends the lead now, if this process has it. $1: the time to judge by, $2: the id of the lead, $3: until when this process leads. */
export const giveUpLead = command(
  "UPDATE chores SET claimed_until = coalesce($1::timestamptz, clock_timestamp()) WHERE id = $2 AND claimed_until = $3::timestamptz",
);

export interface DueWork {
  /** `first`: first syncs of mailboxes. */
  work: Work | "first";
  /** Of the application, the provider, or the profile. Empty: the work has no keys. */
  key: string;
  /** Of a provider's work, from 1. */
  lane: number | null;
  /** Of a profile. */
  provider: string | null;
}

const overdueBy = (seconds: number) =>
  `t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) - make_interval(secs => ${seconds}) AS since)`;
const anyOf = (work: "notify" | "replay" | "authorize", seconds: number) =>
  `SELECT '${work}' AS work, '' AS key, NULL::int AS lane, NULL AS provider WHERE EXISTS (WITH ${overdueBy(seconds)} ${workKinds[work].overdue})`;

// Ordered by time where PostgreSQL, which expects a third of them to be due, would read the table. A subquery, because only a value ends the scan of an index: a column of another table would be compared with every row.
const now = "(SELECT now FROM t)";
const isReadable = (lane: string) =>
  `s.readable AND ${lane} AND s.sync_due_at <= ${now} AND (s.sync_leased_until IS NULL OR s.sync_leased_until <= ${now})
  AND (s.throttled_until IS NULL OR s.throttled_until <= ${now})`;
const lanesOf = (count: string) =>
  `generate_series(1, least(${MOST_LANES}, (${count} + ${LANE - 1}) / ${LANE})::int) AS lane`;

/** The keys whose work is due. $1: the time to judge by, $2: the providers that there is a way to. */
export const dueWork = statement<DueWork>(
  `WITH RECURSIVE t AS MATERIALIZED (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
${dueApplications.ready},
providers AS (SELECT name::provider AS provider FROM unnest($2::text[]) AS asked(name), t WHERE ${isUnpaused("name::provider")}),
writes AS MATERIALIZED (SELECT w.profile_id FROM provider_writes w WHERE ${isOpen("w")} AND w.due_at <= ${now}
  AND (w.leased_until IS NULL OR w.leased_until <= ${now}) ORDER BY w.due_at LIMIT ${MOST_WRITES})
${anyOf("notify", 0)}
UNION ALL ${anyOf("replay", BULK_RETRY_GRACE_S)}
UNION ALL ${anyOf("authorize", 0)}
UNION ALL SELECT 'deliver', application_id, NULL, NULL FROM (${dueApplications.all}) applications
UNION ALL SELECT 'sync', p.provider::text, lane, NULL FROM providers p CROSS JOIN LATERAL (SELECT count(*) AS n FROM (SELECT FROM profile_syncs s
  WHERE s.provider = p.provider AND ${isReadable("NOT s.first_sync")} ORDER BY s.sync_due_at LIMIT ${LANE * MOST_LANES}) one) due CROSS JOIN LATERAL ${lanesOf("due.n")}
UNION ALL SELECT 'first', s.profile_id, NULL, s.provider::text FROM providers p CROSS JOIN LATERAL (SELECT s.* FROM profile_syncs s
  WHERE s.provider = p.provider AND ${isReadable("s.first_sync")} ORDER BY s.sync_due_at LIMIT ${MOST_FIRST}) s
UNION ALL SELECT 'push', p.provider::text, lane, NULL FROM providers p CROSS JOIN LATERAL (SELECT count(*) AS n FROM writes w
  JOIN profile_syncs s ON s.profile_id = w.profile_id WHERE s.provider = p.provider AND s.readable) due
  CROSS JOIN LATERAL ${lanesOf(`CASE WHEN (SELECT count(*) FROM writes) = ${MOST_WRITES} THEN greatest(1, due.n) ELSE due.n END`)}`,
  { work: textOf<DueWork["work"]>(), key: text, lane: nullable(int4), provider: nullable(text) },
);
