import type { Database } from "@/server/db/client";
import type { ApplicationKey } from "@/server/demo/cast/applications";
import type { Random } from "@/server/demo/random";

/** What the steps of filling a month share. */
export interface Month {
  db: Database;
  /** Milliseconds since 1970: when the month ends. */
  now: number;
  random: Random;
  /** The ids of the demo's applications. */
  applications: Readonly<Record<ApplicationKey, string>>;
}

const AT_ONCE = 250;

/** Calls `write` with some of the rows at a time: the embedded database does nothing else meanwhile. */
export async function inPieces<Row>(rows: readonly Row[], write: (some: Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) await write(rows.slice(from, from + AT_ONCE));
}
