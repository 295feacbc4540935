import { command, float8, statement, text } from "@/server/db/statement";

/** $1: their ids. A new one counts as done now. */
export const keepChores = command("INSERT INTO chores (id) SELECT unnest($1::text[]) ON CONFLICT (id) DO NOTHING");

/** $1: its id. $2: the time to judge by. */
export const noteChoreDone = command(
  "UPDATE chores SET done_at = coalesce($2::timestamptz, clock_timestamp()), claimed_until = NULL WHERE id = $1",
);

/**
 * Claims a chore that is late by twice its interval, or whose claim ran out before it was done, and that no process has
 * claimed. $1: the time to judge by, $2: ids, $3: their intervals, $4: the length of the claim; all in seconds.
 */
export const claimLateChore = statement<{ id: string; age: number }>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
late AS (SELECT c.id, date_part('epoch', t.now - c.done_at) AS age FROM chores c
  JOIN unnest($2::text[], $3::int[]) AS every(id, seconds) ON every.id = c.id, t
  WHERE (c.claimed_until <= t.now OR c.claimed_until IS NULL AND c.done_at < t.now - make_interval(secs => 2 * every.seconds))
  ORDER BY c.done_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED)
UPDATE chores SET claimed_until = t.now + make_interval(secs => $4) FROM late, t WHERE chores.id = late.id
RETURNING late.id, late.age`,
  { id: text, age: float8 },
);

/** $1: the time to judge by, $2: the id, $3: the tick, $4: the length of the claim in seconds. */
export const claimChoreAtTick = statement<{ id: string }>(
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now)
UPDATE chores SET claimed_until = t.now + make_interval(secs => $4) FROM t
WHERE id = $2 AND done_at < $3 AND (claimed_until IS NULL OR claimed_until <= t.now) RETURNING id`,
  { id: text },
);

/** $1: the time to judge by, $2: the id, $3: the extension in seconds. */
export const renewChoreClaim = command(
  "UPDATE chores SET claimed_until = coalesce($1::timestamptz, clock_timestamp()) + make_interval(secs => $3) WHERE id = $2",
);

/** The seconds since each chore was done. $1: the time to judge by. */
export const choreAges = statement<{ id: string; age: number }>(
  "SELECT id, date_part('epoch', coalesce($1::timestamptz, clock_timestamp()) - done_at) AS age FROM chores ORDER BY id",
  { id: text, age: float8 },
);
