import type { Inngest } from "inngest";
import { clock } from "@/server/clock";
import type { GoesOn } from "@/server/db/batches";
import { type Database, db } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { runOne } from "@/server/db/statement";
import type { Instant } from "@/server/domain/time/instant";

/** True: a piece is done, and there may be more. */
export type Chore = (db: Database, now: Instant, goesOn: GoesOn) => Promise<boolean>;

export interface ChoreFunction {
  id: string;
  /** As Inngest's pages show the function. */
  name: string;
  cron: string;
  chore: Chore;
}

/** A piece ends soon after so long. Any process may do the next one. */
const PIECE_MS = 15_000;
/** What is left then is done by the next run. A run has a thousand steps at most. */
const MOST_PIECES = 900;

/** A chore that is done in pieces (ADR 53), each of which is tried again by itself when it fails. */
export function inPieces(client: Inngest, { id, name, cron, chore }: ChoreFunction) {
  return client.createFunction({ id, name, triggers: [{ cron }], retries: 5 }, async ({ step }) => {
    for (let piece = 1; piece <= MOST_PIECES; piece++) {
      const isLeft = await step.run(`piece ${piece}`, async () => {
        const ends = clock().monotonic() + PIECE_MS;
        return await chore(db(), await timeOf(db()), () => clock().monotonic() < ends);
      });
      if (!isLeft) return;
    }
  });
}

/** What is dropped is judged by the database's clock: one process whose own is wrong must not drop what others still use. */
async function timeOf(db: Database): Promise<Instant> {
  const row = await runOne(db.query, databaseNow);
  return row.now as Instant;
}
