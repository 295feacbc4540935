import type { Database } from "@/server/db/client";
import type { ApplicationKey } from "@/server/demo/cast/applications";
import type { Random } from "@/server/demo/random";

/** Data that the steps of filling a month share. */
export interface Month {
  db: Database;
  /** When the month ends, in milliseconds since 1970. */
  now: number;
  random: Random;
  /** The ids of the demo's applications. */
  applications: Readonly<Record<ApplicationKey, string>>;
}

const AT_ONCE = 250;

/** Calls `write` with batches of the rows, because the embedded database does nothing else while it writes. */
export async function inPieces<Row>(rows: readonly Row[], write: (some: Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) await write(rows.slice(from, from + AT_ONCE));
}
