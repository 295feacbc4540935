import { FOR_CHANGES } from "@/server/db/cancelled";
import { prepared } from "@/server/db/client";
import { waited } from "@/server/db/database-time";
import { locks } from "@/server/db/locks";
import { bool, command, float8, int4, jsonText, nullable, statement, text, textOf } from "@/server/db/statement";
import type { Signature } from "@/server/domain/channels/delivery-settings";
import { MOST_PER_RECEIVER } from "@/server/domain/channels/retry-time";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS, WAITS_MS } from "@/server/domain/channels/schedule";
import { isActiveSecret } from "@/server/store/applications/applications.sql";
import { followUps } from "@/server/store/channels/outbox";

/** The most at one host over all applications. An application with nothing in progress there may always start one. */
const MOST_PER_HOST = 20;
export const MOST_AT_ONCE = 100;
/** The most deliveries made ready at once after their wait. */
export const MOST_MADE_READY = 1000;
/** The most applications that a claim looks at. */
const MOST_APPLICATIONS = 10;
/** Longer than any attempt with its bookkeeping. */
const LEASE_S = 15;
/** The most attempts of one manual retry that may be lost with their processes. */
export const MOST_LOST = 3;

export interface ClaimedDelivery {
  id: string;
  /** The number of this attempt, 1 for the first. It counts whatever the outcome. */
  attempt: number;
  /** How many attempts the schedule has made, including this one if it is scheduled. */
  scheduled: number;
  /** Outside the schedule. */
  manual: boolean;
  /** Whether staff requested it. */
  byStaff: boolean;
  turn: number;
  /** How long it had been due. */
  waitedMs: number;
  /** How long ago the first change was that it is about, without the time in which it was held. Null: not the first attempt, or not about a change. */
  changedMs: number | null;
  channelId: string;
  callbackUrl: string;
  applicationId: string;
  host: string;
  body: string;
  /** Whether it says that something changed, on a channel whose notifications say what. */
  saysChanges: boolean;
  signature: Signature;
  sealedSecret: string;
  compatibilityMode: boolean;
  clientSecrets: { id: string; sealed: string }[];
}

/**
 * A single row without a delivery says that nothing was claimed, and how many could have been without other processes.
 */
export interface ClaimRow extends Omit<ClaimedDelivery, "id"> {
  id: string | null;
  found: number;
  /** Some deliveries are due that no claim can see yet. */
  someWaited: boolean;
}

const seconds = (ms: number) => `make_interval(secs => ${ms / 1000})`;
const lease = `make_interval(secs => ${LEASE_S})`;
const scheduleWaits = `(ARRAY[${WAITS_MS.map((ms) => ms / 1000).join()}]::float8[])`;

/** A claimed delivery waits: no claim sees it before `makeReady` has found that its time has come. */
const isReady = "state = 'pending' AND NOT waits AND next_attempt_at IS NOT NULL";

/**
 * Builds a query for the distinct values of a column, with one index look-up each: a backlog is skipped, however long
 * it is.
 */
function steps(name: string, column: "application_id" | "host", { after, within }: { after: string; within: Within }) {
  const next = (value: string) =>
    `SELECT ${column} FROM deliveries WHERE ${isReady} AND ${within(value)} ORDER BY application_id, host LIMIT 1`;
  return `${name} AS ((${next(after)}) UNION ALL SELECT (${next(`r.${column}`)}) FROM ${name} r WHERE r.${column} IS NOT NULL)`;
}

/** SQL for the rows after a value. */
type Within = (value: string) => string;

const applications = {
  later: steps("later", "application_id", { after: "$5", within: (value) => `application_id > ${value}` }),
  earlier: steps("earlier", "application_id", {
    after: "''",
    within: (value) => `application_id > ${value} AND application_id <= $5`,
  }),
};

// Rows are compared because only the index of receivers supports that: another index would read the whole backlog.
const ofApplication: Within = (value) =>
  `(application_id, host) > (a.application_id, ${value}) AND application_id <= a.application_id`;
const cursor = "coalesce($6::jsonb ->> a.application_id, '')";
const hosts = {
  later: steps("later", "host", { after: cursor, within: ofApplication }),
  earlier: steps("earlier", "host", {
    after: "''",
    within: (value) => `${ofApplication(value)} AND (application_id, host) <= (a.application_id, ${cursor})`,
  }),
};

const key = "(a.application_id || ' ' || h.host)";
const own = `coalesce((busy.receivers ->> ${key})::int, 0)`;
const ofHost = "coalesce((busy.hosts ->> h.host)::int, 0)";
/** A host shared by several applications gives each of them an equal number of attempts. */
const share = `least(${MOST_PER_RECEIVER}, greatest(1, ${MOST_PER_HOST} / greatest(1, coalesce((busy.applications ->> h.host)::int, 0))))`;
const limit = `coalesce(($7::jsonb ->> ${key})::int, 1)`;

const isDue = `CASE WHEN replay_from IS NULL THEN attempts - manual_attempts < ${MOST_ATTEMPTS} AND created_at + ${seconds(GIVEN_UP_AFTER_MS)} > t.now
        ELSE attempts < replay_from + ${MOST_LOST} END`;

/** The expression in the index of waiting deliveries. */
const waitsUntil = "(CASE WHEN waits THEN next_attempt_at END)";
const isWaiting = "state = 'pending' AND waits";
/**
 * No EXISTS: PostgreSQL expects a third of the waiting deliveries to be due, and might search the table instead of the
 * index.
 */
const someWaited = `coalesce((SELECT ${waitsUntil} FROM deliveries WHERE ${isWaiting} ORDER BY ${waitsUntil} LIMIT 1) <= (SELECT now FROM t), false)`;

/** A body also covers the changes of deliveries that failed for good, which take most of a day to fail: it is not late because of them. */
const LONGEST_ON_TIME = "interval '12 hours'";
const sinceChange = `CASE WHEN d.attempts = 1 AND d.created_at - d.changes_since < ${LONGEST_ON_TIME}
    THEN (date_part('epoch', d.created_at - d.changes_since) * 1000)::float8 + ${waited("t.now", "held.due_at")} END`;

/** Checks one application at a time, so that no plan reads their whole table. */
const isEnabled = (id: string) => `(SELECT p.disabled_at IS NULL FROM applications p WHERE p.id = ${id})`;

// The first ready deliveries of a host, whether due or not, end the scan of the index. The host is compared twice so
// that no other index has the order, and rows are not compared because a scan does not stop at the end of such a range.
/** Finds the deliveries of the application `a` that may be attempted now, host by host. */
const claimable = (most: string) => `LATERAL (WITH RECURSIVE ${hosts.later},
  ${hosts.earlier}
  SELECT due.id, h.host, h.own = 0 AND due.place = 1 AS is_first
  FROM (SELECT h.host, ${own} AS own,
      greatest(least(${limit}, ${share} - ${own}, ${MOST_PER_HOST} - ${ofHost}), least(${limit}, 1 - ${own})) AS free
    FROM (SELECT host FROM later UNION ALL SELECT host FROM earlier) h WHERE h.host IS NOT NULL) h
  CROSS JOIN LATERAL (SELECT d.id, row_number() OVER (ORDER BY d.next_attempt_at, d.id) AS place
    FROM (SELECT id, channel_id, next_attempt_at FROM deliveries WHERE ${isReady}
      AND application_id = a.application_id AND host >= h.host AND host <= h.host AND ${isDue}
      ORDER BY application_id, host, next_attempt_at LIMIT ${MOST_PER_RECEIVER}) d
    JOIN channels c ON c.id = d.channel_id AND c.closed_at IS NULL WHERE d.next_attempt_at <= t.now) due
  WHERE h.free > 0 AND due.place <= h.free LIMIT ${most})`;

/** In a form in which PostgreSQL, which looks into the values of an array before it plans, expects as many rows with it as without. */
const isWanted =
  "((SELECT $4::jsonb) IS NULL OR a.application_id = ANY (ARRAY(SELECT jsonb_array_elements_text($4::jsonb))))";

/**
 * Claims due deliveries: finds up to ten applications that have one, then the next of each in rotation. Its values: the
 * time, the lease, how many, the only applications (JSON, null for all), the one to begin after, the host to begin after by application, the
 * limit by receiver, and MOST_AT_ONCE: the planner expects fewer rows of an application while it does not know this, so
 * that it prefers the plan for any values.
 */
// Constants, limits above all, are inlined, so that the planner expects equally few rows with and without the values,
// and keeps its plan: planning takes longer than running.
export const claimDeliveries = statement<ClaimRow>(
  prepared(
    "claim deliveries",
    `WITH RECURSIVE t AS MATERIALIZED (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now, pg_advisory_xact_lock_shared(${locks.deliveryClaims})),
leased AS (SELECT application_id, host, count(*)::int AS n FROM deliveries, t WHERE state = 'pending' AND leased_until > t.now
  GROUP BY application_id, host),
busy AS MATERIALIZED (SELECT (SELECT coalesce(jsonb_object_agg(application_id || ' ' || host, n), '{}') FROM leased) AS receivers,
    coalesce(jsonb_object_agg(host, n), '{}') AS hosts, coalesce(jsonb_object_agg(host, applications), '{}') AS applications
  FROM (SELECT host, sum(n) AS n, count(*) AS applications FROM leased GROUP BY host) h),
${applications.later},
${applications.earlier},
fronts AS (SELECT application_id, row_number() OVER () AS turn FROM (
  SELECT a.application_id FROM (SELECT application_id FROM later UNION ALL SELECT application_id FROM earlier) a
  CROSS JOIN t CROSS JOIN busy CROSS JOIN ${claimable("1")} one
  WHERE a.application_id IS NOT NULL AND ${isWanted} AND ${isEnabled("a.application_id")} LIMIT ${MOST_APPLICATIONS}) found),
candidates AS (SELECT a.turn, one.* FROM fronts a CROSS JOIN t CROSS JOIN busy
  CROSS JOIN LATERAL (SELECT due.*, row_number() OVER () AS round FROM ${claimable("$8::int")} due) one),
chosen AS MATERIALIZED (SELECT c.id, c.host, row_number() OVER (ORDER BY c.round, c.turn) AS turn FROM (
    SELECT h.*, row_number() OVER (PARTITION BY h.host ORDER BY NOT h.is_first, h.round, h.turn) AS place FROM candidates h) c, busy
  WHERE c.is_first OR c.place + coalesce((busy.hosts ->> c.host)::int, 0) <= ${MOST_PER_HOST}
  ORDER BY c.round, c.turn LIMIT ${MOST_AT_ONCE}),
wanted AS MATERIALIZED (SELECT DISTINCT host FROM chosen WHERE turn <= $3),
seen AS MATERIALIZED (SELECT host, claims FROM delivery_hosts WHERE host IN (SELECT host FROM wanted)),
locked AS MATERIALIZED (SELECT host, claims FROM delivery_hosts WHERE host IN (SELECT host FROM wanted) FOR UPDATE SKIP LOCKED),
added AS (INSERT INTO delivery_hosts (host, claims, claimed_at) SELECT host, 1, t.now FROM wanted, t WHERE host NOT IN (SELECT host FROM seen) ORDER BY host
  ON CONFLICT (host) DO NOTHING RETURNING host),
mine AS MATERIALIZED (SELECT host FROM locked JOIN seen USING (host, claims) UNION ALL SELECT host FROM added),
held AS MATERIALIZED (SELECT d.id, d.next_attempt_at AS due_at FROM deliveries d WHERE d.id IN (SELECT c.id FROM chosen c JOIN mine USING (host) WHERE c.turn <= $3)
  AND d.state = 'pending' AND d.next_attempt_at <= (SELECT now FROM t) FOR UPDATE SKIP LOCKED),
counted AS (UPDATE delivery_hosts h SET claims = h.claims + 1, claimed_at = t.now FROM t
  WHERE h.host IN (SELECT c.host FROM held JOIN chosen c USING (id)) AND h.host IN (SELECT host FROM seen)),
taken AS (UPDATE deliveries d SET attempts = d.attempts + 1, manual_attempts = d.manual_attempts + (d.replay_from IS NOT NULL)::int,
  lease = $2, leased_until = t.now + ${lease}, waits = true,
  next_attempt_at = CASE WHEN d.replay_from IS NOT NULL THEN t.now + ${lease} ELSE
    least(t.now + make_interval(secs => coalesce(${scheduleWaits}[d.attempts - d.manual_attempts + 1], ${LEASE_S})), d.created_at + ${seconds(GIVEN_UP_AFTER_MS)}) END
FROM held JOIN chosen ON chosen.id = held.id, t, channels c, applications a
WHERE d.id = held.id AND d.state = 'pending' AND c.id = d.channel_id AND a.id = d.application_id
RETURNING d.id, d.attempts AS attempt, d.attempts - d.manual_attempts AS scheduled, d.replay_from IS NOT NULL AS manual,
  d.replay_from IS NOT NULL AND d.replay_id IS DISTINCT FROM '${FOR_CHANGES}' AS "byStaff", chosen.turn::int AS turn, ${waited("t.now", "held.due_at")} AS "waitedMs",
  ${sinceChange} AS "changedMs",
  CASE WHEN d.attempts = d.replay_from + 1 THEN d.replay_id END AS begins_for, d.channel_id AS "channelId", c.callback_url AS "callbackUrl",
  d.application_id AS "applicationId", d.host, d.body,
  c.payload = 'changes' AND d.type = 'change' AS "saysChanges", c.signature, c.sealed_secret AS "sealedSecret", a.compatibility_mode AS "compatibilityMode"),
begun AS (INSERT INTO replay_tallies AS b (replay_id, begun)
  SELECT r.id, count(*)::int FROM taken JOIN replays r ON r.id = taken.begins_for GROUP BY r.id ORDER BY r.id
  ON CONFLICT (replay_id) DO UPDATE SET begun = b.begun + excluded.begun)
SELECT found, ${someWaited} AS "someWaited", id, attempt, scheduled, manual, "byStaff", turn, "waitedMs", "changedMs", "channelId", "callbackUrl", "applicationId", host, body, "saysChanges", signature, "sealedSecret", "compatibilityMode",
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed) ORDER BY s.created_at, s.id), '[]')
   FROM client_secrets s WHERE s.application_id = taken."applicationId" AND ${isActiveSecret("(SELECT now FROM t)")}) AS "clientSecrets"
FROM (SELECT count(*)::int AS found FROM chosen WHERE turn <= $3) f LEFT JOIN taken ON true ORDER BY turn`,
  ),
  {
    found: int4,
    someWaited: bool,
    id: nullable(text),
    attempt: int4,
    scheduled: int4,
    manual: bool,
    byStaff: bool,
    turn: int4,
    waitedMs: float8,
    changedMs: nullable(float8),
    channelId: text,
    callbackUrl: text,
    applicationId: text,
    host: text,
    body: text,
    saysChanges: bool,
    signature: textOf<Signature>(),
    sealedSecret: text,
    compatibilityMode: bool,
    clientSecrets: jsonText<ClaimedDelivery["clientSecrets"]>(),
  },
);

/**
 * Makes up to a thousand deliveries ready whose wait is over, the earliest first, and skips those that another process
 * makes ready or ends.
 */
export const makeReady = statement<{ n: number }>(
  prepared(
    "make deliveries ready",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
waited AS MATERIALIZED (SELECT id FROM deliveries WHERE ${isWaiting} AND ${waitsUntil} <= (SELECT now FROM t)
  ORDER BY ${waitsUntil} LIMIT ${MOST_MADE_READY} FOR UPDATE SKIP LOCKED),
ready AS (UPDATE deliveries SET waits = false WHERE id = ANY (ARRAY(SELECT id FROM waited)) AND state = 'pending' RETURNING 1)
SELECT count(*)::int AS n FROM ready`,
  ),
  { n: int4 },
);

export const endOverdueDeliveries = statement<{ n: number; followed: number }>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
over AS (SELECT id FROM deliveries, t WHERE state = 'pending' AND created_at <= t.now - make_interval(secs => $2) AND next_attempt_at <= t.now
    AND replay_from IS NULL
  UNION SELECT id FROM deliveries, t WHERE state = 'pending' AND attempts >= ${MOST_ATTEMPTS} AND attempts - manual_attempts >= ${MOST_ATTEMPTS}
    AND next_attempt_at <= t.now AND replay_from IS NULL),
lost AS (UPDATE deliveries d SET state = coalesce(d.replay_state, 'pending'), replay_from = NULL, lease = NULL, leased_until = NULL,
    next_attempt_at = CASE WHEN d.replay_state IS NULL THEN d.scheduled_at END, waits = true
  FROM t WHERE d.state = 'pending' AND d.replay_from IS NOT NULL AND d.attempts >= d.replay_from + $3 AND d.next_attempt_at <= t.now),
ended AS (UPDATE deliveries d SET state = (CASE WHEN c.closed_at IS NULL THEN 'failed' ELSE 'cancelled' END)::delivery_state,
    finished_at = t.now, next_attempt_at = NULL, lease = NULL, leased_until = NULL
  FROM over, t, channels c WHERE d.id = over.id AND c.id = d.channel_id AND d.state = 'pending'
  RETURNING d.channel_id, d.account_id, d.changes_since, d.joined_since, d.state),
noted AS (UPDATE channels c SET unnotified_since = least(c.unnotified_since, e.since)
  FROM (SELECT channel_id, min(changes_since) AS since FROM ended WHERE state = 'failed' GROUP BY channel_id) e
  WHERE c.id = e.channel_id AND e.since IS NOT NULL),
followed AS (${followUps("SELECT account_id, channel_id, joined_since AS since, now FROM ended, t WHERE state = 'failed'")})
SELECT (SELECT count(*)::int FROM ended) AS n, (SELECT count(*)::int FROM followed) AS followed`,
  { n: int4, followed: int4 },
);

/**
 * Has PostgreSQL measure the queue, and plan cached statements again. The statistics of one column are enough: plans
 * depend on the number of rows.
 */
export const analyzeQueue = command("ANALYZE (SKIP_LOCKED) deliveries_queue (state)");

/** Milliseconds from now. */
export const nextAttempt = statement<{ ms: number | null }>(
  `SELECT date_part('epoch', min(next_attempt_at) - coalesce($1::timestamptz, clock_timestamp())) * 1000 AS ms
FROM deliveries d WHERE state = 'pending' AND ${isEnabled("d.application_id")}`,
  { ms: nullable(float8) },
);

/** As `nextAttempt`, of the application `$2`: the first of each of its hosts. */
export const nextAttemptOfApplication = statement<{ ms: number | null }>(
  `WITH RECURSIVE firsts AS (
  (SELECT host, next_attempt_at FROM deliveries WHERE state = 'pending' AND application_id = $2 ORDER BY application_id, host, next_attempt_at LIMIT 1)
  UNION ALL SELECT one.* FROM firsts f CROSS JOIN LATERAL (SELECT d.host, d.next_attempt_at FROM deliveries d WHERE d.state = 'pending'
    AND (d.application_id, d.host) > ($2, f.host) AND d.application_id <= $2 ORDER BY d.application_id, d.host, d.next_attempt_at LIMIT 1) one)
SELECT date_part('epoch', min(next_attempt_at) - coalesce($1::timestamptz, clock_timestamp())) * 1000 AS ms FROM firsts`,
  { ms: nullable(float8) },
);

/** SQL for the applications that have deliveries which may be due: a CTE `ready` with one look-up each, and those of the first thousand waits that are over at `t.now`. */
export const dueApplications = {
  ready: steps("ready", "application_id", { after: "''", within: (value) => `application_id > ${value}` }),
  all: `SELECT application_id FROM ready WHERE application_id IS NOT NULL AND ${isEnabled("application_id")}
  UNION SELECT application_id FROM (SELECT d.application_id FROM deliveries d WHERE ${isWaiting} AND ${waitsUntil} <= (SELECT now FROM t)
    AND ${isEnabled("d.application_id")} ORDER BY ${waitsUntil} LIMIT ${MOST_MADE_READY}) w`,
};
