import type { Database, Query } from "@/server/db/client";
import { binding } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { wake } from "@/server/db/wake";
import { deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { ask } from "@/server/services/staff/deliveries/replays/ask";
import { selected } from "@/server/services/staff/deliveries/selection";
import { type PageCursor, placeTime } from "@/server/services/staff/paging";

const PIECE = 100;
/** A receiver's new notifications wait behind no more than so many of a replay. */
const MOST_OPEN = 200;
const WAIT_S = 1;

/**
 * Goes on with every replay that is due, each piece in a transaction of its own: what was taken is taken once, whoever dies. Gives when
 * there is more to do, in milliseconds since 1970; null: no replay runs.
 */
export async function workReplays(db: Database): Promise<number | null> {
  while (await db.transaction(workOne)) wake("deliver");
  const row = await queryOne<{ at: number | null }>(
    db.query,
    "SELECT ceil(date_part('epoch', min(due_at)) * 1000) AS at FROM replays WHERE state = 'running'",
  );
  return row.at;
}

interface Running {
  id: string;
  filters: unknown;
  startedAt: string;
  positionAt: string | null;
  positionId: string | null;
  allTaken: boolean;
  open: number;
}

/** Held for all but those who, with its deliveries, begin its tally: they are waited for. */
const finding = `SELECT r.id, r.filters, ${placeTime("r.created_at")} AS "startedAt", ${placeTime("r.position_at")} AS "positionAt",
  r.position_id AS "positionId", r.all_taken AS "allTaken", (SELECT count(*)::int FROM deliveries d
    WHERE d.replay_id = r.id AND d.state = 'pending' AND d.replay_from IS NOT NULL) AS open
FROM replays r WHERE r.state = 'running' AND r.due_at <= coalesce($1::timestamptz, clock_timestamp())
ORDER BY r.due_at LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`;

/** False: no replay is due. */
async function workOne(query: Query): Promise<boolean> {
  const [running] = await query<Running>(finding, [databaseTime()]);
  if (!running) return false;
  const { id, allTaken, open } = running;
  if (allTaken && open === 0) await query(finishing, [id, databaseTime()]);
  else if (allTaken || open >= MOST_OPEN) await query(waiting, [id, databaseTime(), WAIT_S]);
  else await takePiece(query, running);
  return true;
}

const finishing = `UPDATE replays SET state = 'done', finished_at = coalesce($2::timestamptz, clock_timestamp()) WHERE id = $1`;
const waiting = `UPDATE replays SET due_at = coalesce($2::timestamptz, clock_timestamp()) + make_interval(secs => $3) WHERE id = $1`;

async function takePiece(query: Query, running: Running): Promise<void> {
  const piece = await nextPiece(query, running);
  const replays = await ask(
    query,
    piece.map(({ id }) => id),
    running.id,
  );
  const skipped = replays.filter(({ hindrance }) => hindrance !== null).length;
  const closed = replays.filter(({ hindrance }) => hindrance === "closed").length;
  const last = piece.at(-1) ?? null;
  await query(
    `UPDATE replays SET taken = taken + $2::int, position_at = coalesce($3::timestamptz, position_at), position_id = coalesce($4, position_id),
all_taken = $5, skipped = skipped + $6::int, closed = closed + $7::int WHERE id = $1`,
    [running.id, replays.length, last?.at ?? null, last?.id ?? null, piece.length < PIECE, skipped, closed],
  );
}

/** The next that match still, of those that there were when the replay was started: the newest come first, and none twice. */
async function nextPiece(query: Query, { filters, startedAt, positionAt, positionId }: Running): Promise<PageCursor[]> {
  const narrowed = await narrow(query, deliveryFilter.parse(filters));
  if (narrowed === null) return [];
  const bound = binding();
  // Sorts after every id: those of that very microsecond are among them.
  const after = positionAt && positionId ? { at: positionAt, id: positionId } : { at: startedAt, id: "~" };
  const found = selected(narrowed, { after, most: PIECE }, bound);
  return await query<PageCursor>(
    `SELECT k.id, ${placeTime("k.created_at")} AS at FROM (${found}) k ORDER BY k.created_at DESC, k.id DESC`,
    bound.values,
  );
}
