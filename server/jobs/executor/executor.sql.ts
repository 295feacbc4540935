import { deletingBatch } from "@/server/db/batches";
import { command, int4, jsonText, nullable, statement, text, timestamp } from "@/server/db/statement";

/** A step that is done; its result is JSON as the SDK takes it. */
export interface StoredStep {
  id: string;
  /** In the order of completion, from 0. */
  place: number;
  result: string;
}

export interface Outlook {
  now: Date;
  /** When the next run is due that is not yet. */
  nextAt: Date | null;
}

/** Without an id when nothing was claimed. */
interface ClaimedRow extends Outlook {
  id: string | null;
  functionId: string;
  event: string;
  attempt: number;
  steps: StoredStep[];
}

/** A millisecond is as fine as JavaScript's time: what it computes must be due when the database says so. */
const moment = "date_trunc('milliseconds', coalesce($1::timestamptz, clock_timestamp()))";
const time = `t AS (SELECT ${moment} AS now)`;

export const now = statement<{ now: Date }>(`WITH ${time} SELECT now FROM t`, { now: timestamp });

export const accept = command(`WITH ${time},
fresh AS (INSERT INTO background_events AS e (app_id, id, received_at) SELECT $2, given.id, t.now FROM t, unnest($4::text[]) given(id)
  ON CONFLICT (app_id, id) DO UPDATE SET received_at = excluded.received_at
    WHERE e.received_at <= excluded.received_at - make_interval(secs => $3)
  RETURNING e.id),
given AS (SELECT * FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
  AS g(id, event_id, function_id, event, starts_at))
INSERT INTO background_runs (id, app_id, function_id, event, due_at, created_at)
SELECT g.id, $2, g.function_id, g.event, greatest(t.now, g.starts_at), t.now FROM given g JOIN fresh f ON f.id = g.event_id, t`);

/** A run whose lease ran out is not claimed by the process that holds it still ($5). */
export const claim = statement<ClaimedRow>(
  `WITH ${time},
due AS (SELECT r.id FROM t, background_runs r
  WHERE r.app_id = $2 AND r.state = 'open' AND r.due_at <= t.now AND r.function_id = ANY ($6::text[]) AND NOT r.id = ANY ($5::text[])
  ORDER BY r.due_at, r.id LIMIT $4 FOR NO KEY UPDATE OF r SKIP LOCKED),
claimed AS (UPDATE background_runs r SET attempt = r.attempt + 1, lease = $3, due_at = t.now + make_interval(secs => $7)
  FROM due, t WHERE r.id = due.id RETURNING r.id, r.function_id, r.event, r.attempt)
SELECT t.now, (SELECT min(due_at) FROM background_runs r WHERE r.app_id = $2 AND r.state = 'open' AND r.due_at > t.now) AS "nextAt",
  c.id, c.function_id AS "functionId", c.event, c.attempt,
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'place', s.place, 'result', s.result) ORDER BY s.place), '[]')
    FROM background_steps s WHERE s.run_id = c.id) AS steps
FROM t LEFT JOIN claimed c ON true`,
  {
    now: timestamp,
    nextAt: nullable(timestamp),
    id: nullable(text),
    functionId: text,
    event: text,
    attempt: int4,
    steps: jsonText<StoredStep[]>(),
  },
);

/** A run that is kept is due when its lease ends; one that is given back, when its wait does. */
export const save = statement<{ id: string }>(
  `WITH ${time},
held AS (UPDATE background_runs r SET attempt = $4, lease = CASE WHEN $6 THEN NULL ELSE r.lease END,
    due_at = CASE WHEN $6 THEN coalesce($8::timestamptz, t.now + make_interval(secs => coalesce($7::float8, 0)))
      ELSE t.now + make_interval(secs => $5) END
  FROM t WHERE r.id = $2 AND r.lease = $3 AND r.state = 'open' RETURNING r.id),
written AS (INSERT INTO background_steps (run_id, id, place, result)
  SELECT held.id, g.id, g.place, g.result FROM held, unnest($9::text[], $10::int[], $11::text[]) AS g(id, place, result)
  ON CONFLICT (run_id, id) DO NOTHING)
SELECT id FROM held`,
  { id: text },
);

const ended = (state: string, change: string) =>
  `UPDATE background_runs r SET state = '${state}', finished_at = t.now, lease = NULL, ${change}
FROM t WHERE r.id = $2 AND r.lease = $3 AND r.state = 'open' RETURNING r.id`;

/** Nothing of a run that ended well is needed but that it was. */
export const finish = statement<{ id: string }>(
  `WITH ${time}, ended AS (${ended("done", "event = ''")}),
dropped AS (DELETE FROM background_steps s USING ended WHERE s.run_id = ended.id)
SELECT id FROM ended`,
  { id: text },
);

export const fail = statement<{ id: string }>(`WITH ${time} ${ended("failed", "error = $4")}`, { id: text });

export const extend = command(`WITH ${time}
UPDATE background_runs r SET due_at = t.now + make_interval(secs => $2)
FROM t, unnest($3::text[], $4::text[]) AS g(id, lease) WHERE r.id = g.id AND r.lease = g.lease AND r.state = 'open'`);

export const keepCrons =
  command(`WITH given AS (SELECT * FROM unnest($2::text[], $3::text[], $4::timestamptz[]) AS g(function_id, cron, next_at)),
dropped AS (DELETE FROM background_crons c WHERE c.app_id = $1
  AND NOT EXISTS (SELECT FROM given g WHERE g.function_id = c.function_id AND g.cron = c.cron))
INSERT INTO background_crons (app_id, function_id, cron, next_at) SELECT DISTINCT ON (function_id, cron) $1, function_id, cron, next_at FROM given
ON CONFLICT DO NOTHING`);

export const tick = command(`WITH ${time},
ticked AS (UPDATE background_crons c SET next_at = $5 FROM t
  WHERE c.app_id = $2 AND c.function_id = $3 AND c.cron = $4 AND c.next_at <= t.now RETURNING c.function_id)
INSERT INTO background_runs (id, app_id, function_id, event, due_at, created_at)
SELECT $6, $2, ticked.function_id, $7, t.now, t.now FROM ticked, t`);

/** Of the app $3, from before so many seconds, $4. */
const old = (column: string) => `app_id = $3 AND ${column} <= (SELECT ${moment}) - make_interval(secs => $4)`;
const counted = { n: int4 };

export const dropEvents = statement<{ n: number }>(deletingBatch("background_events", old("received_at")), counted);

export const dropRuns = statement<{ n: number }>(
  deletingBatch("background_runs", `${old("finished_at")} AND state = $5::background_state`),
  counted,
);

export const dropOrphans = statement<{ n: number }>(
  deletingBatch("background_runs", `${old("due_at")} AND state = 'open' AND NOT function_id = ANY ($5::text[])`),
  counted,
);
