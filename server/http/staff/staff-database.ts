import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "@/server/db/client";
import type { FairQueue } from "@/server/http/admission/fair-queue";

/** Beside the applications, which have other ids. */
export const STAFF = "staff";

/** What already has its turn, and what that runs. */
const inTurn = new AsyncLocalStorage<true>();

/**
 * Returns the database as an operator's procedures get it: each statement and each transaction waits for its turn as
 * those of one more application do, of which the operators are the accounts. Nothing is held between two statements
 * (ADR 86).
 */
export function staffDatabase(database: Database, queue: FairQueue, operatorId: string): Database {
  async function turn<Result>(writes: boolean, work: () => PromiseLike<Result>): Promise<Result> {
    if (inTurn.getStore()) return await work();
    const slot = await queue.enter({ applicationId: STAFF, accountId: operatorId, writes });
    try {
      return await inTurn.run(true, async () => await work());
    } finally {
      slot.leave();
    }
  }

  const prisma = database.prisma.$extends({
    query: { $allOperations: ({ args, query }) => turn(false, () => query(args)) },
  });
  return {
    ...database,
    // It lacks $on alone, of which nothing here has use.
    prisma: prisma as unknown as Database["prisma"],
    query: (text, values) => turn(false, () => database.query(text, values)),
    transaction: (work, lock) => turn(true, () => database.transaction(work, lock)),
    snapshot: (reads) => turn(false, () => database.snapshot(reads)),
    together: (writes) => turn(true, () => database.together(writes)),
  };
}
