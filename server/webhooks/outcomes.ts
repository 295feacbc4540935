import { type Database, prepared, type Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { GIVEN_UP_AFTER_MS, waitAfter } from "@/server/domain/channels/schedule";

/** `again`: at the documented wait. `failed`: for good. `gone`: the receiver answered 410 and closes its channel. */
export type Verdict = "delivered" | "again" | "failed" | "gone";

/** What one attempt came to. */
export interface Outcome {
  id: string;
  lease: string;
  attempt: number;
  channelId: string;
  verdict: Verdict;
  status: number | null;
  /** `dns`, `connect`, `tls`, `timeout`, `blocked`, `reset`, `http`; null with an answer. */
  errorClass: string | null;
  address: string | null;
  startedAt: number;
  durationMs: number;
  responseHeaders: object | null;
  responseBody: string | null;
}

/**
 * Writes what attempts came to, all or none. A delivery that another process has taken over since is left to it, unless the
 * receiver has accepted it. Changes announced by a delivery that failed for good are reached back to by the channel's next one.
 */
export async function storeOutcomes(db: Database, outcomes: readonly Outcome[], random: () => number): Promise<void> {
  const gone = outcomes.filter(({ verdict }) => verdict === "gone").map(({ channelId }) => channelId);
  if (gone.length === 0) return await store(db.query, outcomes, random);
  await db.transaction(async (query) => {
    await store(query, outcomes, random);
    await closeGone(query, gone);
  });
}

async function store(query: Query, outcomes: readonly Outcome[], random: () => number): Promise<void> {
  const rows = outcomes.map((outcome) => ({
    id: outcome.id,
    lease: outcome.lease,
    number: outcome.attempt,
    verdict: outcome.verdict,
    wait: waitAfter(outcome.attempt, random()),
    status: outcome.status,
    error: outcome.errorClass,
    address: outcome.address,
    started: new Date(outcome.startedAt).toISOString(),
    ms: Math.round(outcome.durationMs),
    headers: outcome.responseHeaders,
    body: outcome.responseBody,
  }));
  await query(storing, [databaseTime(), JSON.stringify(rows), GIVEN_UP_AFTER_MS / 1000, rows.map(({ id }) => id)]);
}

const storing = prepared(
  "store outcomes",
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
r AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS r(id text, lease text, number int, verdict text, wait float8, status int,
  error text, address text, started timestamptz, ms int, headers jsonb, body text)),
done AS (UPDATE deliveries d SET
    state = (CASE r.verdict WHEN 'delivered' THEN 'delivered' WHEN 'again' THEN 'pending' ELSE 'failed' END)::delivery_state,
    next_attempt_at = CASE WHEN r.verdict = 'again' THEN
      least(t.now + make_interval(secs => r.wait / 1000), d.created_at + make_interval(secs => $3)) END,
    finished_at = CASE WHEN r.verdict <> 'again' THEN t.now END,
    lease = NULL, leased_until = NULL, last_status = r.status, last_error = r.error
  FROM r, t WHERE d.id = ANY ($4) AND d.id = r.id AND d.state = 'pending' AND (d.lease = r.lease OR r.verdict = 'delivered')
  RETURNING d.channel_id, d.changes_since, d.state),
told AS (UPDATE channels c SET unnotified_since = CASE WHEN x.failed IS NULL THEN NULL ELSE least(c.unnotified_since, x.failed) END
  FROM (SELECT channel_id, min(changes_since) FILTER (WHERE state = 'failed') AS failed,
      min(changes_since) FILTER (WHERE state = 'delivered') AS delivered FROM done GROUP BY channel_id) x
  WHERE c.id = x.channel_id AND (x.failed IS NOT NULL OR c.unnotified_since >= x.delivered))
INSERT INTO attempts (delivery_id, number, started_at, duration_ms, address, status, error_class, response_headers, response_body)
SELECT r.id, r.number, r.started, r.ms, r.address, r.status, r.error, r.headers, r.body FROM r JOIN deliveries d ON d.id = r.id AND d.id = ANY ($4)
ON CONFLICT (delivery_id, number) DO NOTHING`,
);

const cancelling = `UPDATE deliveries SET state = 'cancelled', finished_at = coalesce($2::timestamptz, clock_timestamp()),
next_attempt_at = NULL, lease = NULL, leased_until = NULL WHERE channel_id = ANY ($1) AND state = 'pending'`;
const closing = `UPDATE channels SET closed_at = coalesce($2::timestamptz, clock_timestamp()), closed_by = 'gone'
WHERE id = ANY ($1) AND closed_at IS NULL`;

/**
 * "Channel, open, callback answers 410: closed, no more notifications" ("States and transitions"). Deliveries are taken before
 * channels, as everybody takes them; those made until the channel was taken are cancelled after it.
 */
async function closeGone(query: Query, channels: readonly string[]): Promise<void> {
  for (const statement of [cancelling, closing, cancelling]) await query(statement, [channels, databaseTime()]);
}
