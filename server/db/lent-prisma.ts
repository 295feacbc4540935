import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { type Prisma, PrismaClient } from "@/server/db/generated/client";

const OVER = "The transaction of this call is over.";

/** Sends a statement on a transaction's connection. */
export type Send = (statement: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Runs `work` with a Prisma client whose statements `send` sends, until the work is over. */
export type LendPrisma = <T>(send: Send, work: (prisma: Prisma.TransactionClient) => Promise<T>) => Promise<T>;

/** So many are kept: each holds 4 MB. */
const MOST_KEPT = 4;

/**
 * Lends each transaction that calls Prisma a client of its own, from the first call on. A client is used again: a new one takes as long as
 * dozens of calls, and must find the SQL of each call first.
 */
export function prismaClients(): LendPrisma {
  const kept: LentPrisma[] = [];
  return async (send, work) => {
    let lent: LentPrisma | undefined;
    let isOver = false;
    const borrowed = () => {
      if (isOver) throw new Error(OVER);
      lent ??= kept.pop() ?? newPrisma();
      lent.begin(send);
      return lent.prisma;
    };
    const prisma = new Proxy({}, { get: (_, name) => Reflect.get(borrowed(), name) });
    try {
      return await work(prisma as Prisma.TransactionClient);
    } finally {
      isOver = true;
      if (lent?.end() && kept.length < MOST_KEPT) kept.push(lent);
    }
  };
}

interface LentPrisma {
  prisma: Prisma.TransactionClient;
  begin(send: Send): void;
  /** False: a call that nobody waits for is under way, which must not reach the next transaction. */
  end(): boolean;
}

const over: Send = () => Promise.reject(new Error(OVER));
const several = () => Promise.reject(new Error("A call inside a transaction must be one statement."));

function newPrisma(): LentPrisma {
  let send = over;
  let underWay = 0;
  // Prisma's adapter accepts a pool. This one opens no connection.
  const pool = new pg.Pool();
  pool.query = ((statement: pg.QueryConfig) => send(statement)) as typeof pool.query;
  pool.connect = several as typeof pool.connect;
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool), errorFormat: "minimal" }).$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        underWay += 1;
        try {
          return await query(args);
        } finally {
          underWay -= 1;
        }
      },
    },
  });
  return {
    prisma: prisma as unknown as Prisma.TransactionClient,
    begin: (to) => {
      send = to;
    },
    end: () => {
      send = over;
      return underWay === 0;
    },
  };
}
