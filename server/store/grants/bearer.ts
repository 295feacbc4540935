import type { Query } from "@/server/db/client";
import type { Gathering } from "@/server/db/gathered";
import { run, type Statement } from "@/server/db/statement";
import {
  type Bearer,
  bearerStatement,
  bearersStatement,
  type Reader,
  readerStatement,
  readersStatement,
} from "@/server/store/grants/bearer.sql";

/** The hash of a token, and when it is shown, in milliseconds. */
export interface ShownToken {
  hash: Buffer;
  now: number;
}

function lookUpBy<Found extends object>(
  one: Statement<Found>,
  many: Statement<Found & { place: number }>,
): Gathering<ShownToken, Found> {
  return {
    alone: async (query: Query, { hash, now }) => (await run(query, one, [hash, new Date(now)]))[0],
    many,
    /** All hashes as one value, because an array of them is sent as text; by the latest of their times, so that none passes that has expired. */
    manyValues: (tokens) => [
      Buffer.concat(tokens.map(({ hash }) => hash)),
      new Date(Math.max(...tokens.map(({ now }) => now))),
    ],
  };
}

export const bearerOfToken = lookUpBy<Bearer>(bearerStatement, bearersStatement);
export const readerOfToken = lookUpBy<Reader>(readerStatement, readersStatement);
