import { clock } from "@/server/clock";
import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { daysOf, newestRows } from "@/server/services/staff/deliveries/newest";
import {
  advanceReplay,
  finishReplay,
  lockDueReplay,
  nextReplayDue,
  postponeReplay,
  type RunningReplay,
} from "@/server/services/staff/deliveries/replays/replays.sql";
import { requestAttempts } from "@/server/services/staff/deliveries/replays/request-attempts";
import { deliveryIds } from "@/server/services/staff/deliveries/searches.sql";
import type { PageCursor } from "@/server/services/staff/lists/paging";

const PIECE = 100;
/** New notifications of a receiver wait behind at most this many of a replay. */
const MOST_OPEN = 200;
const WAIT_S = 1;

/**
 * Continues every due replay, each piece in its own transaction, so that each delivery is processed once even if a
 * process dies.
 */
export async function workReplays(db: Database): Promise<void> {
  while (await db.transaction(workOne)) wake("deliver");
}

/** Returns the milliseconds until a replay is due. Null: none is running. */
export async function nextReplayIn(db: Database): Promise<number | null> {
  const row = await runOne(db.query, nextReplayDue, [databaseTime()]);
  return row.ms;
}

/** Continues one due replay. Returns false when none is due. */
async function workOne(query: Query): Promise<boolean> {
  const [running] = await run(query, lockDueReplay, [databaseTime()]);
  if (!running) return false;
  const { id, allTaken, open } = running;
  if (allTaken && open === 0) await run(query, finishReplay, [id, databaseTime()]);
  else if (allTaken || open >= MOST_OPEN) await run(query, postponeReplay, [id, databaseTime(), WAIT_S]);
  else await takePiece(query, running);
  return true;
}

async function takePiece(query: Query, running: RunningReplay): Promise<void> {
  const piece = await nextPiece(query, running);
  const ids = piece.map(({ id }) => id);
  const replays = await requestAttempts(query, { ids, days: daysOf(piece), replayId: running.id });
  const skipped = replays.filter(({ hindrance }) => hindrance !== null).length;
  const closed = replays.filter(({ hindrance }) => hindrance === "closed").length;
  const last = piece.at(-1) ?? null;
  const position = [last?.at ?? null, last?.id ?? null];
  await run(query, advanceReplay, [running.id, replays.length, ...position, piece.length < PIECE, skipped, closed]);
}

/** Selects the next deliveries that still match and existed when the replay was started: the newest come first, and none twice. */
async function nextPiece(
  query: Query,
  { filters, startedAt, positionAt, positionId }: RunningReplay,
): Promise<PageCursor[]> {
  const narrowed = await narrow(query, deliveryFilter.parse(filters), null);
  if (narrowed === null) return [];
  // Sorts after every id, so that deliveries of the same microsecond are included.
  const after = positionAt && positionId ? { at: positionAt, id: positionId } : { at: startedAt, id: "~" };
  return await newestRows(query, deliveryIds, { narrowed, after, limit: PIECE, now: clock().now() });
}
