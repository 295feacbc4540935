import { cancelled } from "@/server/db/cancelled";
import { type Database, prepared, type Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { wake } from "@/server/db/wake";
import { GIVEN_UP_AFTER_MS, waitAfter } from "@/server/domain/channels/schedule";
import { followUps } from "@/server/store/channels/outbox";

/** `again`: at the documented wait. `failed`: permanently. `gone`: the receiver responded 410 and closes its channel. */
export type Verdict = "delivered" | "again" | "failed" | "gone";

/** The outcome of one attempt. */
export interface Outcome {
  id: string;
  lease: string;
  attempt: number;
  /** How many attempts of the schedule there were by then. */
  scheduled: number;
  manual: boolean;
  channelId: string;
  verdict: Verdict;
  status: number | null;
  /** `dns`, `connect`, `tls`, `timeout`, `blocked`, `reset`, `http`. Null with a response. */
  errorClass: string | null;
  address: string | null;
  startedAt: number;
  durationMs: number;
  responseHeaders: object | null;
  responseBody: string | null;
}

/**
 * Stores the outcomes of attempts, all or none. A delivery that another process has claimed since, or that staff cancelled, keeps its
 * state unless the receiver has accepted it. The channel's next delivery also announces the changes of a permanently failed one. After
 * a failed manual retry a delivery returns to its previous state. Changes that waited for the end of a delivery get another one.
 */
export async function storeOutcomes(db: Database, outcomes: readonly Outcome[], random: () => number): Promise<void> {
  if ((await stored(db, outcomes, random)) > 0) wake("notify");
}

/** Returns how many channels have changes left to announce. */
async function stored(db: Database, outcomes: readonly Outcome[], random: () => number): Promise<number> {
  const gone = outcomes.filter(({ verdict }) => verdict === "gone").map(({ channelId }) => channelId);
  if (gone.length === 0) return await store(db.query, { outcomes, random, commit: db.isServer ? "off" : null });
  return await db.transaction(async (query) => {
    const followed = await store(query, { outcomes, random, commit: null });
    await closeGone(query, gone);
    return followed;
  });
}

interface Storing {
  outcomes: readonly Outcome[];
  random: () => number;
  /**
   * synchronous_commit. Null: as configured. `off` does not wait for the disk: nothing is lost if this process dies. If the server
   * crashes, at most the last half second is lost, and the claim has already set the next attempt. The embedded database ends with
   * this process and nobody else writes its log, so there the write waits.
   */
  commit: "off" | null;
}

async function store(query: Query, { outcomes, random, commit }: Storing): Promise<number> {
  const rows = outcomes.map((outcome) => ({
    id: outcome.id,
    lease: outcome.lease,
    number: outcome.attempt,
    verdict: outcome.verdict,
    manual: outcome.manual,
    wait: waitAfter(outcome.scheduled, random()),
    status: outcome.status,
    error: outcome.errorClass,
    address: outcome.address,
    started: new Date(outcome.startedAt).toISOString(),
    ms: Math.round(outcome.durationMs),
    headers: outcome.responseHeaders,
    body: outcome.responseBody,
  }));
  rows.sort((one, other) => (one.id < other.id ? -1 : 1)); // locked in the same order everywhere
  const row = await queryOne<{ n: number }>(query, storing, [databaseTime(), JSON.stringify(rows), commit]);
  return row.n;
}

/** A delivery that has arrived keeps the status that accepted it. */
const staysDelivered = "d.replay_from IS NOT NULL AND d.replay_state = 'delivered' AND r.verdict <> 'delivered'";

const givenUpAfter = `make_interval(secs => ${GIVEN_UP_AFTER_MS / 1000})`;

// With BETWEEN, which covers all of them, the planner expects one row instead of a hundred: it looks each up by its id and keeps the plan.
const storing = prepared(
  "store outcomes",
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now, set_config('synchronous_commit', coalesce($3, current_setting('synchronous_commit')), true)),
r AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS r(id text, lease text, number int, manual boolean, verdict text, wait float8, status int,
  error text, address text, started timestamptz, ms int, headers jsonb, body text)
  WHERE r.number BETWEEN 1 AND 1000000),
done AS (UPDATE deliveries d SET
    state = CASE WHEN r.verdict = 'delivered' THEN 'delivered' WHEN d.replay_from IS NOT NULL AND d.replay_state IS NOT NULL THEN d.replay_state
      WHEN r.verdict = 'again' THEN 'pending' ELSE 'failed' END::delivery_state,
    next_attempt_at = CASE WHEN r.verdict <> 'again' OR (d.replay_from IS NOT NULL AND d.replay_state IS NOT NULL) THEN NULL
      WHEN d.replay_from IS NOT NULL THEN d.scheduled_at
      ELSE least(t.now + make_interval(secs => r.wait / 1000), d.created_at + ${givenUpAfter}) END,
    finished_at = CASE WHEN d.replay_from IS NOT NULL AND (d.replay_state = 'delivered' OR (d.replay_state IS NOT NULL AND r.verdict <> 'delivered'))
        THEN d.finished_at WHEN r.verdict <> 'again' THEN t.now END,
    lease = NULL, leased_until = NULL, replay_from = NULL,
    last_status = CASE WHEN ${staysDelivered} THEN d.last_status ELSE r.status END,
    last_error = CASE WHEN ${staysDelivered} THEN d.last_error ELSE r.error END
  FROM r, t WHERE d.id = r.id AND (d.state = 'pending' AND (d.lease = r.lease OR r.verdict = 'delivered')
    OR d.state IN ('cancelled', 'failed') AND d.lease = r.lease AND r.verdict = 'delivered')
  RETURNING d.channel_id, d.account_id, d.changes_since, d.state, d.replay_state,
    CASE WHEN d.state IN ('delivered', 'failed') THEN d.joined_since END AS joined_since),
noted AS (UPDATE channels c SET unnotified_since = CASE WHEN x.failed IS NULL THEN NULL ELSE least(c.unnotified_since, x.failed) END
  FROM (SELECT channel_id, min(changes_since) FILTER (WHERE state = 'failed' AND replay_state IS NULL) AS failed,
      min(changes_since) FILTER (WHERE state = 'delivered') AS delivered FROM done GROUP BY channel_id) x
  WHERE c.id = x.channel_id AND (x.failed IS NOT NULL OR c.unnotified_since >= x.delivered)),
followed AS (${followUps("SELECT account_id, channel_id, joined_since AS since, now FROM done, t WHERE replay_state IS NULL")}),
kept AS (INSERT INTO attempts (delivery_id, number, manual, started_at, duration_ms, address, status, error_class, response_headers, response_body)
  SELECT r.id, r.number, r.manual, r.started, r.ms, r.address, r.status, r.error, r.headers, r.body FROM r JOIN deliveries d ON d.id = r.id
  ON CONFLICT (delivery_id, number) DO NOTHING)
SELECT count(*)::int AS n FROM followed`,
);

const cancelling = `UPDATE deliveries SET ${cancelled("coalesce($2::timestamptz, clock_timestamp())")}
WHERE channel_id = ANY ($1) AND state = 'pending'`;
const closing = `UPDATE channels SET closed_at = coalesce($2::timestamptz, clock_timestamp()), closed_by = 'gone'
WHERE id = ANY ($1) AND closed_at IS NULL`;

/**
 * "Channel, open, callback answers 410: closed, no more notifications" ("States and transitions"). Deliveries are locked before
 * channels, as everywhere. Deliveries created before the channel was locked are cancelled afterwards.
 */
async function closeGone(query: Query, channels: readonly string[]): Promise<void> {
  for (const statement of [cancelling, closing, cancelling]) await query(statement, [channels, databaseTime()]);
}
