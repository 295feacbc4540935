import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { locks } from "@/server/db/locks";
import { queryOne } from "@/server/db/query-one";
import { wake } from "@/server/db/wake";
import { GIVEN_UP_AFTER_MS, MOST_ATTEMPTS } from "@/server/domain/channels/schedule";
import { followUps } from "@/server/store/channels/outbox";
import { claiming, MOST_LOST } from "@/server/webhooks/claim-statement";

/** A receiver is a host of one application: each is judged separately, even if applications share a host. */
export interface Receiver {
  applicationId: string;
  host: string;
}

/** A delivery that this process has claimed. Everything written about it later must match the lease. */
export interface Claimed extends Receiver {
  id: string;
  lease: string;
  /** Which attempt this is, 1 for the first. It counts whatever the outcome. */
  attempt: number;
  /** How many attempts the schedule has made, including this one if it is scheduled. */
  scheduled: number;
  /** Outside the schedule. */
  manual: boolean;
  /** Staff requested it. */
  byStaff: boolean;
  channelId: string;
  callbackUrl: string;
  body: string;
  sealedSecret: string;
  compatibilityMode: boolean;
  clientSecrets: { id: string; sealed: string }[];
}

export interface ClaimInput {
  /** At most ten are returned. */
  most: number;
  /** The application to begin after, so that all get their share. */
  after?: string;
  /** By application, the host to begin after. */
  hostsAfter?: Readonly<Record<string, string>>;
  /** Applications to omit. */
  without?: readonly string[];
  /** By `receiverKey`, how many to claim at most. One for a receiver that is not listed. */
  limits?: Readonly<Record<string, number>>;
}

export function receiverKey({ applicationId, host }: Receiver): string {
  return `${applicationId} ${host}`;
}

/**
 * Claims due deliveries in rotation: one of each application, then the next of each, host by host. Rows locked elsewhere are omitted.
 * The claim counts the attempt and sets the next one to the documented wait from now: a process that dies with it loses nothing, is
 * never early, and cannot loop. A manual retry is due again when its lease is over, and is given up after a few lost attempts.
 */
export async function claim(
  db: Database,
  { most, after = "", hostsAfter = {}, without = [], limits = {} }: ClaimInput,
): Promise<Claimed[]> {
  const lease = randomUUID();
  const values = [databaseTime(), lease, most, [...without], after, hostsAfter, limits];
  const rows = await db.transaction(async (query) => {
    const taken = await query<TakenRow>(claiming, values);
    const replays = taken.flatMap(({ beginsFor }) => beginsFor ?? []);
    if (replays.length > 0) await query(tallying, [replays]);
    return taken;
  }, locks.deliveryClaims);
  rows.sort((one, other) => one.turn - other.turn);
  return rows.map(({ beginsFor: _, turn: __, ...row }) => ({ ...row, lease }));
}

/** `beginsFor`: the bulk retry whose first attempt this is. */
type TakenRow = Omit<Claimed, "lease"> & { beginsFor: string | null; turn: number };

const tallying = `INSERT INTO replay_tallies AS t (replay_id, begun)
SELECT r.id, count(*)::int FROM unnest($1::text[]) AS one (id) JOIN replays r ON r.id = one.id GROUP BY r.id ORDER BY r.id
ON CONFLICT (replay_id) DO UPDATE SET begun = t.begun + excluded.begun`;

/**
 * Ends what must not be attempted again: the tenth attempt was lost with its process, or 48 hours are over ("Events", 5). Neither
 * applies to a manual retry: it ends when its attempts were lost, and the delivery returns to its previous state. Changes that waited
 * for its end get another delivery.
 */
export async function endOverdue(db: Database): Promise<number> {
  const values = [databaseTime(), GIVEN_UP_AFTER_MS / 1000, MOST_LOST];
  const row = await queryOne<{ n: number; followed: number }>(db.query, ending, values);
  if (row.followed > 0) wake("notify");
  return row.n;
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
  RETURNING d.channel_id, d.account_id, d.changes_since, d.joined_since, d.state),
noted AS (UPDATE channels c SET unnotified_since = least(c.unnotified_since, e.since)
  FROM (SELECT channel_id, min(changes_since) AS since FROM ended WHERE state = 'failed' GROUP BY channel_id) e
  WHERE c.id = e.channel_id AND e.since IS NOT NULL),
followed AS (${followUps("SELECT account_id, channel_id, joined_since AS since, now FROM ended, t WHERE state = 'failed'")})
SELECT (SELECT count(*)::int FROM ended) AS n, (SELECT count(*)::int FROM followed) AS followed`;

/** In how many milliseconds the next attempt is due, or would be if the one in progress were lost. Null: none is pending. */
export async function nextAttemptIn(db: Database): Promise<number | null> {
  const row = await queryOne<{ ms: number | null }>(
    db.query,
    `SELECT date_part('epoch', min(next_attempt_at) - coalesce($1::timestamptz, clock_timestamp())) * 1000 AS ms
FROM deliveries WHERE state = 'pending'`,
    [databaseTime()],
  );
  return row.ms === null ? null : Math.max(0, Math.ceil(row.ms));
}
