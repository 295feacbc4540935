import { deletingBatch } from "@/server/db/batches";
import { cancelled } from "@/server/db/cancelled";
import { prepared } from "@/server/db/client";
import { command, int4, statement, texts } from "@/server/db/statement";
import { FAILING_AFTER } from "@/server/domain/channels/endpoint";
import { GIVEN_UP_AFTER_MS } from "@/server/domain/channels/schedule";
import { deletingDeliveries } from "@/server/store/channels/deleting-deliveries";
import { followUps } from "@/server/store/channels/outbox";
import { isOfDays } from "@/server/store/deliveries/days";

/** A delivery that has arrived keeps the status that accepted it. */
const staysDelivered = "d.replay_from IS NOT NULL AND d.replay_state = 'delivered' AND r.verdict <> 'delivered'";

const givenUpAfter = `make_interval(secs => ${GIVEN_UP_AFTER_MS / 1000})`;

/** Consecutive failures of the channel `c` after those of a batch, `x`: a test says nothing about a channel. */
const failures = "CASE WHEN x.accepted THEN 0 ELSE c.failures END + x.failures";

/** When another process stores its outcomes late, their last failure is not the newest. */
const isNewestFailure = "x.last_failed_at >= coalesce(c.failed_at, '-infinity')";

/**
 * A channel changes with each failed attempt, and with the first one accepted afterwards: while all is well nothing is
 * written.
 */
const noted = `unnotified_since = CASE WHEN x.failed IS NOT NULL THEN least(c.unnotified_since, x.failed)
      WHEN c.unnotified_since >= x.delivered THEN NULL ELSE c.unnotified_since END,
    failures = ${failures}, failing = ${failures} >= ${FAILING_AFTER},
    failing_since = CASE WHEN x.accepted THEN x.first_failed_at ELSE coalesce(c.failing_since, x.first_failed_at) END,
    failed_at = greatest(c.failed_at, x.last_failed_at), failed_status = CASE WHEN ${isNewestFailure} THEN x.last_status ELSE c.failed_status END,
    failed_error = CASE WHEN ${isNewestFailure} THEN x.last_error ELSE c.failed_error END`;

/** Selects a column of the channel's last failure. */
const lastFailure = (column: string) => `(array_agg(${column} ORDER BY started DESC) FILTER (WHERE NOT accepted))[1]`;

/** A place where deliveries are stored, and the rows there that accept an outcome. */
interface Place {
  isHere: string;
  accepts: string;
}

const queue: Place = {
  isHere: "d.state = 'pending'",
  accepts: "(d.lease = r.lease OR r.verdict = 'delivered')",
};

/** Deliveries that ended during an attempt that then arrived, in the days from $4 on and before $5. */
const history: Place = {
  isHere: `d.state IN ('delivered', 'failed', 'cancelled') AND ${isOfDays("d", "$4", "$5")}`,
  accepts: "d.state <> 'delivered' AND d.lease = r.lease AND r.verdict = 'delivered'",
};

/**
 * Stores outcomes, and returns how many channels have changes left to announce, and the deliveries that are not in this
 * place: a pending one is in the queue, and reading the history for each outcome would cost more than all the rest.
 * With BETWEEN, which covers all of them, the planner expects one row instead of a hundred: it looks each up by its id
 * and keeps the plan.
 */
const storing = ({ isHere, accepts }: Place) =>
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now, set_config('synchronous_commit', coalesce($3, current_setting('synchronous_commit')), true)),
r AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS r(id text, lease text, number int, manual boolean, verdict text, wait float8, status int,
  error text, address text, started timestamptz, ms int, headers jsonb, body text)
  WHERE r.number BETWEEN 1 AND 1000000),
here AS MATERIALIZED (SELECT r.id, CASE WHEN NOT d.test THEN d.channel_id END AS measured FROM r JOIN deliveries d ON d.id = r.id AND ${isHere}),
done AS (UPDATE deliveries d SET
    state = CASE WHEN r.verdict = 'delivered' THEN 'delivered' WHEN d.replay_from IS NOT NULL AND d.replay_state IS NOT NULL THEN d.replay_state
      WHEN r.verdict = 'again' THEN 'pending' ELSE 'failed' END::delivery_state,
    next_attempt_at = CASE WHEN r.verdict <> 'again' OR (d.replay_from IS NOT NULL AND d.replay_state IS NOT NULL) THEN NULL
      WHEN d.replay_from IS NOT NULL THEN d.scheduled_at WHEN d.next_attempt_at IS NULL THEN NULL -- paused since the claim
      ELSE least(t.now + make_interval(secs => r.wait / 1000), d.created_at + ${givenUpAfter}) END,
    finished_at = CASE WHEN d.replay_from IS NOT NULL AND (d.replay_state = 'delivered' OR (d.replay_state IS NOT NULL AND r.verdict <> 'delivered'))
        THEN d.finished_at WHEN r.verdict <> 'again' THEN t.now END,
    lease = NULL, leased_until = NULL, replay_from = NULL, waits = true,
    last_status = CASE WHEN ${staysDelivered} THEN d.last_status ELSE r.status END,
    last_error = CASE WHEN ${staysDelivered} THEN d.last_error ELSE r.error END
  FROM r, t WHERE d.id = r.id AND ${isHere} AND ${accepts}
  RETURNING r.verdict = 'delivered' AS accepted, r.started, r.status, r.error, d.channel_id, d.account_id, d.changes_since, d.state, d.replay_state, d.test,
    CASE WHEN d.state IN ('delivered', 'failed') THEN d.joined_since END AS joined_since),
noted AS (UPDATE channels c SET ${noted}
  FROM (SELECT channel_id, min(changes_since) FILTER (WHERE state = 'failed' AND replay_state IS NULL) AS failed,
      min(changes_since) FILTER (WHERE state = 'delivered') AS delivered, bool_or(accepted) AS accepted,
      (count(*) FILTER (WHERE is_failure))::int AS failures, min(started) FILTER (WHERE is_failure) AS first_failed_at,
      max(started) FILTER (WHERE NOT accepted) AS last_failed_at, ${lastFailure("status")} AS last_status, ${lastFailure("error")} AS last_error
    FROM (SELECT *, NOT accepted AND started > coalesce(max(started) FILTER (WHERE accepted) OVER (PARTITION BY channel_id), '-infinity') AS is_failure
      FROM done WHERE NOT test) d GROUP BY channel_id ORDER BY channel_id) x
  WHERE c.id = x.channel_id AND (x.failed IS NOT NULL OR c.unnotified_since >= x.delivered OR x.last_failed_at IS NOT NULL OR c.failures > 0)),
followed AS (${followUps("SELECT account_id, channel_id, joined_since AS since, now FROM done, t WHERE replay_state IS NULL")}),
kept AS (INSERT INTO attempts (delivery_id, number, manual, started_at, duration_ms, address, status, error_class, response_headers, response_body, channel_id)
  SELECT r.id, r.number, r.manual, r.started, r.ms, r.address, r.status, r.error, r.headers, r.body, here.measured FROM r JOIN here ON here.id = r.id
  ON CONFLICT DO NOTHING)
SELECT (SELECT count(*)::int FROM followed) AS n, ARRAY(SELECT id FROM r WHERE id NOT IN (SELECT id FROM here)) AS elsewhere`;

const stored = { n: int4, elsewhere: texts };
type Stored = { n: number; elsewhere: string[] };

export const storeAttempts = statement<Stored>(prepared("store outcomes", storing(queue)), stored);
export const storeLateAttempts = statement<Stored>(storing(history), stored);

export const cancelDeliveries =
  command(`UPDATE deliveries SET ${cancelled("coalesce($2::timestamptz, clock_timestamp())")}
WHERE channel_id = ANY ($1) AND state = 'pending'`);

export const closeChannels =
  command(`UPDATE channels SET closed_at = coalesce($2::timestamptz, clock_timestamp()), closed_by = 'gone'
WHERE id = ANY ($1) AND closed_at IS NULL`);

/** Deletes those outside the partitions that are dropped. One that staff are retrying stays. */
export const dropDeliveries = statement<{ n: number }>(deletingDeliveries("created_at < $1 AND replay_from IS NULL"), {
  n: int4,
});

export const dropSeenChanges = statement<{ n: number }>(deletingBatch("seen_changes", "minute < $1"), { n: int4 });

export const dropHosts = statement<{ n: number }>(deletingBatch("delivery_hosts", "claimed_at < $1"), { n: int4 });
