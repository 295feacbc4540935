import { bool, command, int4, jsonText, nullable, statement, text, timestamp } from "@/server/db/statement";

export interface StoredStep {
  id: string;
  sleeps: boolean;
  /** How many calls of it were begun. */
  attempts: number;
  /** Milliseconds since 1970. */
  dueAt: number;
  isDue: boolean;
  place: number | null;
  result: string | null;
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
const time = `t AS (SELECT date_trunc('milliseconds', coalesce($1::timestamptz, clock_timestamp())) AS now)`;

export const now = statement<{ now: Date }>(`WITH ${time} SELECT now FROM t`, { now: timestamp });

/** Of the events of one key that arrive together, the last counts, as when they arrive one after another. */
export const accept = command(`WITH ${time},
fresh AS (INSERT INTO background_events AS e (app_id, id, received_at) SELECT $2, given.id, t.now FROM t, unnest($4::text[]) given(id)
  ON CONFLICT (app_id, id) DO UPDATE SET received_at = excluded.received_at
    WHERE e.received_at <= excluded.received_at - make_interval(secs => $3)
  RETURNING e.id),
given AS (SELECT * FROM unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::text[], $11::text[], $12::text[],
    $13::float8[], $14::float8[]) WITH ORDINALITY
  AS g(id, event_id, function_id, event, starts_at, slot1, slot2, debounce_key, wait, timeout, place)),
caused AS (SELECT DISTINCT ON (g.function_id, coalesce(g.debounce_key, g.id)) g.* FROM given g JOIN fresh f ON f.id = g.event_id
  ORDER BY g.function_id, coalesce(g.debounce_key, g.id), g.place DESC)
INSERT INTO background_runs AS r (id, app_id, function_id, event, due_at, slot1, slot2, debounce_key, debounced_until, created_at)
SELECT c.id, $2, c.function_id, c.event, greatest(t.now, c.starts_at) + make_interval(secs => c.wait), c.slot1, c.slot2,
  c.debounce_key, t.now + make_interval(secs => c.timeout), t.now FROM caused c, t
ON CONFLICT (app_id, function_id, debounce_key) WHERE debounce_key IS NOT NULL DO UPDATE
SET event = excluded.event, slot1 = excluded.slot1, slot2 = excluded.slot2, due_at = least(excluded.due_at, r.debounced_until)`);

/** A run whose lease ran out counts as under way while this process holds it still ($5). */
export const claim = statement<ClaimedRow>(
  `WITH ${time},
plan AS (SELECT * FROM unnest($6::text[], $7::int[], $8::int[]) AS p(id, limit1, limit2)),
held AS (SELECT slot1, slot2 FROM background_runs r, t
  WHERE r.app_id = $2 AND r.lease IS NOT NULL AND (r.due_at > t.now OR r.id = ANY ($5::text[]))),
busy AS (SELECT slot, count(*)::int AS n FROM (SELECT slot1 AS slot FROM held UNION ALL SELECT slot2 FROM held) s
  WHERE slot IS NOT NULL GROUP BY slot),
due AS (SELECT r.id, r.due_at, r.slot1, r.slot2, p.limit1 - coalesce(b1.n, 0) AS free1, p.limit2 - coalesce(b2.n, 0) AS free2
  FROM t, background_runs r JOIN plan p ON p.id = r.function_id
  LEFT JOIN busy b1 ON b1.slot = r.slot1 LEFT JOIN busy b2 ON b2.slot = r.slot2
  WHERE r.app_id = $2 AND r.state = 'open' AND r.due_at <= t.now AND NOT r.id = ANY ($5::text[])
    AND coalesce(p.limit1 > b1.n, true) AND coalesce(p.limit2 > b2.n, true)
  ORDER BY r.due_at, r.id LIMIT 200),
narrow AS (SELECT *, row_number() OVER (PARTITION BY slot2 ORDER BY due_at, id) AS place2 FROM due),
wide AS (SELECT *, row_number() OVER (PARTITION BY slot1 ORDER BY due_at, id) AS place1 FROM narrow
  WHERE slot2 IS NULL OR coalesce(place2 <= free2, true)),
chosen AS (SELECT id FROM wide WHERE slot1 IS NULL OR coalesce(place1 <= free1, true) ORDER BY due_at, id LIMIT $4),
claimed AS (UPDATE background_runs r SET attempt = r.attempt + 1, lease = $3, due_at = t.now + make_interval(secs => $9), debounce_key = NULL
  FROM chosen c, t WHERE r.id = c.id AND r.state = 'open' AND r.due_at <= t.now
  RETURNING r.id, r.function_id, r.event, r.attempt)
SELECT t.now, (SELECT min(due_at) FROM background_runs r WHERE r.app_id = $2 AND r.state = 'open' AND r.due_at > t.now) AS "nextAt",
  c.id, c.function_id AS "functionId", c.event, c.attempt,
  (SELECT coalesce(json_agg(json_build_object('id', s.id, 'sleeps', s.sleeps, 'attempts', s.attempts, 'place', s.place, 'result', s.result,
      'isDue', s.due_at <= t.now, 'dueAt', date_part('epoch', s.due_at) * 1000) ORDER BY s.place, s.due_at, s.id), '[]')
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

export const look = statement<Outlook & { isDue: boolean }>(
  `WITH ${time}
SELECT t.now, EXISTS (SELECT FROM background_runs r WHERE r.app_id = $2 AND r.state = 'open' AND r.due_at <= t.now
    AND r.function_id = ANY ($3::text[]) AND NOT r.id = ANY ($4::text[])) AS "isDue",
  (SELECT min(due_at) FROM background_runs r WHERE r.app_id = $2 AND r.state = 'open' AND r.due_at > t.now) AS "nextAt" FROM t`,
  { now: timestamp, isDue: bool, nextAt: nullable(timestamp) },
);

/** A run that is kept is due when its lease ends; one that is given back, when the first of its waits does. */
export const save = statement<{ now: Date }>(
  `WITH ${time},
held AS (UPDATE background_runs r SET attempt = $4, lease = CASE WHEN $6 THEN NULL ELSE r.lease END,
    due_at = CASE WHEN $6 THEN coalesce(least(t.now + make_interval(secs => $7), $8::timestamptz), t.now)
      ELSE t.now + make_interval(secs => $5) END
  FROM t WHERE r.id = $2 AND r.lease = $3 AND r.state = 'open' RETURNING r.id),
written AS (INSERT INTO background_steps AS s (run_id, id, sleeps, attempts, due_at, place, result)
  SELECT held.id, g.id, g.sleeps, g.attempts, coalesce(g.until, t.now + make_interval(secs => coalesce(g.wait, 0))), g.place, g.result
  FROM held, t, unnest($9::text[], $10::bool[], $11::int[], $12::float8[], $13::timestamptz[], $14::int[], $15::text[])
    AS g(id, sleeps, attempts, wait, until, place, result)
  ON CONFLICT (run_id, id) DO UPDATE SET attempts = excluded.attempts, due_at = excluded.due_at, place = excluded.place, result = excluded.result)
SELECT t.now FROM held, t`,
  { now: timestamp },
);

const ended = (state: string, change: string) =>
  `UPDATE background_runs r SET state = '${state}', finished_at = t.now, lease = NULL, debounce_key = NULL, ${change}
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
INSERT INTO background_runs (id, app_id, function_id, event, due_at, slot1, slot2, created_at)
SELECT $6, $2, ticked.function_id, $7, t.now, $8, $9, t.now FROM ticked, t`);

export const dropEvents = command(`WITH ${time}
DELETE FROM background_events e USING t WHERE e.app_id = $2 AND e.received_at <= t.now - make_interval(secs => $3)`);

export const dropRuns = command(`WITH ${time}
DELETE FROM background_runs r USING t WHERE r.app_id = $2 AND r.state = $3::background_state AND r.finished_at <= t.now - make_interval(secs => $4)`);

export const dropOrphans = command(`WITH ${time}
DELETE FROM background_runs r USING t WHERE r.app_id = $2 AND r.state = 'open' AND r.due_at <= t.now - make_interval(secs => $3)
  AND NOT r.function_id = ANY ($4::text[])`);
