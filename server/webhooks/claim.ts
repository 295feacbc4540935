import { randomUUID } from "node:crypto";
import { type Database, prepared } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS, WAITS_MS } from "@/server/domain/channels/schedule";

/** At most so many attempts at one host at once, over all processes. */
export const MOST_PER_HOST = 5;
/** Few, so that a process that dies has few under way that nobody knows the end of. */
export const MOST_AT_ONCE = 10;
const CLAIM_LOCK = 7_302_621;
/** Longer than any attempt with its bookkeeping. */
const LEASE_S = 15;
/** So many attempts that staff asked for once may be lost with their processes. */
const MOST_LOST = 3;

/** A delivery that this process may attempt now; what is written about it later must show the lease. */
export interface Claimed {
  id: string;
  lease: string;
  /** Which attempt this is, 1 for the first; it counts whatever becomes of it. */
  attempt: number;
  /** How many attempts of the schedule there were, this one included when it is one. */
  scheduled: number;
  /** Staff asked for it: the schedule does not. */
  manual: boolean;
  channelId: string;
  callbackUrl: string;
  host: string;
  body: string;
  sealedSecret: string;
  compatibilityMode: boolean;
  clientSecrets: { id: string; sealed: string }[];
}

export interface Claiming {
  /** No more than `MOST_AT_ONCE` are given. */
  most: number;
  /** The host after which to look first, so that all get their turn. */
  after: string;
  /** Hosts to leave out. */
  without: readonly string[];
  /** Hosts of which several may be taken; of others one. */
  several: readonly string[];
}

/**
 * Takes deliveries that are due, host by host, leaving out hosts that are busy and rows that somebody else holds. The attempt
 * is counted here, and the next one is due at the documented wait from here: a process that dies with it loses nothing, comes never
 * early, and cannot loop. What staff asked for is due again when its lease is over, and given up after a few such deaths.
 */
export async function claim(db: Database, { most, after, without, several }: Claiming): Promise<Claimed[]> {
  const lease = randomUUID();
  const values = [databaseTime(), lease, most, [...without], after, [...several]];
  const rows = await db.transaction(async (query) => {
    const taken = await query<TakenRow>(claiming, values);
    const replays = taken.flatMap(({ beginsFor }) => beginsFor ?? []);
    if (replays.length > 0) await query(tallying, [replays]);
    return taken;
  }, CLAIM_LOCK);
  return rows.map(({ beginsFor: _, ...row }) => ({ ...row, lease }));
}

/** `beginsFor`: the replay of many for which this is the first attempt. */
type TakenRow = Omit<Claimed, "lease"> & { beginsFor: string | null };

const tallying = `INSERT INTO replay_tallies AS t (replay_id, begun)
SELECT r.id, count(*)::int FROM unnest($1::text[]) AS one (id) JOIN replays r ON r.id = one.id GROUP BY r.id ORDER BY r.id
ON CONFLICT (replay_id) DO UPDATE SET begun = t.begun + excluded.begun`;

// Pairs are compared because only the index of the host and the time can do that: the other one would read the whole backlog.
/** The hosts with something pending, one look into the index each: a backlog is stepped over, however long it is. */
const hostsAfter = (name: string, start: string, end: string) => `${name} AS (
  (SELECT host FROM deliveries WHERE state = 'pending' AND host > ${start} ${end} ORDER BY host LIMIT 1) UNION ALL
  SELECT (SELECT host FROM deliveries WHERE state = 'pending' AND host > r.host ${end} ORDER BY host LIMIT 1) FROM ${name} r
  WHERE r.host IS NOT NULL)`;

const seconds = (ms: number) => `make_interval(secs => ${ms / 1000})`;
const lease = `make_interval(secs => ${LEASE_S})`;
const waits = `(ARRAY[${WAITS_MS.map((ms) => ms / 1000).join()}]::float8[])`;

// What does not change stands in the text, limits above all: the planner then expects as few rows without the values as with them,
// and keeps its plan. To plan this anew takes longer than to run it.
const claiming = prepared(
  "claim deliveries",
  `WITH RECURSIVE t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
busy AS (SELECT host, count(*)::int AS n FROM deliveries, t WHERE state = 'pending' AND leased_until > t.now GROUP BY host),
${hostsAfter("later", "$5", "")},
${hostsAfter("earlier", "''", "AND host <= $5")},
hosts AS (SELECT host FROM later UNION ALL SELECT host FROM earlier),
first AS (SELECT due.id FROM hosts h CROSS JOIN t LEFT JOIN busy b ON b.host = h.host
  CROSS JOIN LATERAL (SELECT d.id, row_number() OVER (ORDER BY d.next_attempt_at, d.id) AS place
    FROM (SELECT id, channel_id, next_attempt_at FROM deliveries WHERE state = 'pending'
      AND (host, next_attempt_at) >= (h.host, '-infinity'::timestamptz) AND (host, next_attempt_at) <= (h.host, t.now)
      AND CASE WHEN replay_from IS NULL THEN attempts - manual_attempts < ${MOST_ATTEMPTS} AND created_at + ${seconds(GIVEN_UP_AFTER_MS)} > t.now
        ELSE attempts < replay_from + ${MOST_LOST} END ORDER BY host, next_attempt_at LIMIT ${MOST_PER_HOST}) d
    JOIN channels c ON c.id = d.channel_id AND c.closed_at IS NULL) due
  WHERE h.host <> ALL ($4::text[])
    AND due.place <= least(${MOST_PER_HOST} - coalesce(b.n, 0), CASE WHEN h.host = ANY ($6::text[]) THEN ${MOST_PER_HOST} ELSE 1 END)
  LIMIT ${MOST_AT_ONCE}),
chosen AS (SELECT id FROM first LIMIT $3),
held AS (SELECT d.id FROM deliveries d WHERE d.id IN (SELECT id FROM chosen) AND d.state = 'pending' FOR UPDATE SKIP LOCKED)
UPDATE deliveries d SET attempts = d.attempts + 1, manual_attempts = d.manual_attempts + (d.replay_from IS NOT NULL)::int,
  lease = $2, leased_until = t.now + ${lease},
  next_attempt_at = CASE WHEN d.replay_from IS NOT NULL THEN t.now + ${lease} ELSE
    least(t.now + make_interval(secs => coalesce(${waits}[d.attempts - d.manual_attempts + 1], ${LEASE_S})), d.created_at + ${seconds(GIVEN_UP_AFTER_MS)}) END
FROM held, t, channels c, applications a
WHERE d.id = held.id AND c.id = d.channel_id AND a.id = d.application_id
RETURNING d.id, d.attempts AS attempt, d.attempts - d.manual_attempts AS scheduled, d.replay_from IS NOT NULL AS manual,
  CASE WHEN d.attempts = d.replay_from + 1 THEN d.replay_id END AS "beginsFor", d.channel_id AS "channelId", c.callback_url AS "callbackUrl", d.host, d.body,
  c.sealed_secret AS "sealedSecret", a.compatibility_mode AS "compatibilityMode",
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'sealed', s.sealed) ORDER BY s.created_at, s.id), '[]')
   FROM client_secrets s WHERE s.application_id = a.id AND s.retired_at IS NULL) AS "clientSecrets"`,
);

/**
 * Ends what must not be attempted again: the tenth attempt was lost with its process, or 48 hours are over ("Events", 5). What staff asked
 * for is outside of both: it ends when its attempts were lost, and the delivery is again what it was.
 */
export async function endOverdue(db: Database): Promise<number> {
  const rows = await db.query<{ n: number }>(ending, [databaseTime(), GIVEN_UP_AFTER_MS / 1000, MOST_LOST]);
  return rows[0]?.n ?? 0;
}

const ending = `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
over AS (SELECT id FROM deliveries, t WHERE state = 'pending' AND created_at <= t.now - make_interval(secs => $2) AND next_attempt_at <= t.now
    AND replay_from IS NULL
  UNION SELECT id FROM deliveries, t WHERE state = 'pending' AND attempts >= ${MOST_ATTEMPTS} AND attempts - manual_attempts >= ${MOST_ATTEMPTS}
    AND next_attempt_at <= t.now AND replay_from IS NULL),
lost AS (UPDATE deliveries d SET state = coalesce(d.replay_state, 'pending'), replay_from = NULL, lease = NULL, leased_until = NULL,
    next_attempt_at = CASE WHEN d.replay_state IS NULL THEN d.scheduled_at END
  FROM t WHERE d.state = 'pending' AND d.replay_from IS NOT NULL AND d.attempts >= d.replay_from + $3 AND d.next_attempt_at <= t.now),
ended AS (UPDATE deliveries d SET state = (CASE WHEN c.closed_at IS NULL THEN 'failed' ELSE 'cancelled' END)::delivery_state,
    finished_at = t.now, next_attempt_at = NULL, lease = NULL, leased_until = NULL
  FROM over, t, channels c WHERE d.id = over.id AND c.id = d.channel_id AND d.state = 'pending'
  RETURNING d.channel_id, d.changes_since, d.state),
told AS (UPDATE channels c SET unnotified_since = least(c.unnotified_since, e.since)
  FROM (SELECT channel_id, min(changes_since) AS since FROM ended WHERE state = 'failed' GROUP BY channel_id) e
  WHERE c.id = e.channel_id AND e.since IS NOT NULL)
SELECT count(*)::int AS n FROM ended`;

/** In how many milliseconds the next attempt is due, or would be if the one under way were lost; null: none is pending. */
export async function nextAttemptIn(db: Database): Promise<number | null> {
  const [row] = await db.query<{ ms: number | null }>(
    `SELECT date_part('epoch', min(next_attempt_at) - coalesce($1::timestamptz, clock_timestamp())) * 1000 AS ms
FROM deliveries WHERE state = 'pending'`,
    [databaseTime()],
  );
  return row?.ms == null ? null : Math.max(0, Math.ceil(row.ms));
}
