import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";
import { choreDone } from "@/server/jobs/chore-state";
import type { Chore } from "@/server/jobs/chores";

/** A piece ends soon after so long. Any process may do the next one. */
const PIECE_MS = 15_000;

/** Does a piece of a chore, and notes when that was the last. True: there may be more. */
export async function doPiece(id: string, { work }: Chore): Promise<boolean> {
  const ends = clock().monotonic() + PIECE_MS;
  // What is dropped is judged by the database's clock: one process whose own is wrong must not drop what others still use.
  const { now } = await runOne(db().query, databaseNow);
  const isLeft = await work(db(), now as Instant, () => clock().monotonic() < ends);
  if (!isLeft) await choreDone(db(), id);
  return isLeft;
}
