import type { Query } from "@/server/db/client";
import { run, type Statement } from "@/server/db/statement";
import type { BatchLookup } from "@/server/store/batch-loader";
import {
  type Bearer,
  bearerStatement,
  bearersStatement,
  type Reader,
  readerStatement,
  readersStatement,
} from "@/server/store/grants/bearer.sql";

/** The hash of a token, and when it was presented, in milliseconds. */
export interface ShownToken {
  hash: Buffer;
  now: number;
}

function lookUpBy<Found extends object>(
  one: Statement<Found>,
  many: Statement<Found & { place: number }>,
): BatchLookup<ShownToken, Found> {
  return {
    alone: async (query: Query, { hash, now }) => (await run(query, one, [hash, new Date(now)]))[0],
    many,
    /**
     * All hashes as one value, because an array of them is sent as text; and the latest of their times, so that no
     * expired token passes.
     */
    manyValues: (tokens) => [
      Buffer.concat(tokens.map(({ hash }) => hash)),
      new Date(Math.max(...tokens.map(({ now }) => now))),
    ],
  };
}

export const bearerOfToken = lookUpBy<Bearer>(bearerStatement, bearersStatement);
export const readerOfToken = lookUpBy<Reader>(readerStatement, readersStatement);
