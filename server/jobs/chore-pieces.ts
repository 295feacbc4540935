import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { choreDone, renewClaim } from "@/server/jobs/chore-state";
import type { Chore } from "@/server/jobs/chores";

/** How long a piece lasts at most, roughly. Any process may do the next one. */
const PIECE_MS = 15_000;

/** Does one piece of a chore, and notes when that was the last. Returns true when there may be more. */
export async function doPiece(id: string, { work }: Chore): Promise<boolean> {
  const ends = clock().monotonic() + PIECE_MS;
  // The database's clock decides what to drop: a process whose own clock is wrong must not drop what others still use.
  const { now } = await runOne(db().query, databaseNow);
  const isLeft = await work(db(), now as Instant, () => clock().monotonic() < ends);
  await (isLeft ? renewClaim(db(), id) : choreDone(db(), id));
  return isLeft;
}
