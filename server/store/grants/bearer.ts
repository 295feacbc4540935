import type { LookUp } from "@/server/db/gathered";
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

const values: Pick<LookUp<ShownToken, Bearer>, "oneValues" | "manyValues"> = {
  oneValues: ({ hash, now }) => [hash, new Date(now)],
  /** All hashes as one value, because an array of them is sent as text; by the latest of their times, so that none passes that has expired. */
  manyValues: (tokens) => [
    Buffer.concat(tokens.map(({ hash }) => hash)),
    new Date(Math.max(...tokens.map(({ now }) => now))),
  ],
};

export const bearerOfToken: LookUp<ShownToken, Bearer> = { ...values, one: bearerStatement, many: bearersStatement };
export const readerOfToken: LookUp<ShownToken, Reader> = { ...values, one: readerStatement, many: readersStatement };
