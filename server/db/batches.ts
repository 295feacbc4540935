import type { Query } from "@/server/db/client";
import { runOne, type Statement } from "@/server/db/statement";

/**
 * Builds SQL that deletes at most `$2` rows of a table that meet a condition on `$1`, and returns how many as `n`. It
 * waits for nobody: it skips a row that another transaction has locked, since that may be deleting it.
 */
export function deletingBatch(table: string, condition: string): string {
  return `WITH batch AS MATERIALIZED (SELECT ctid FROM ${table} WHERE ${condition} LIMIT $2 FOR UPDATE SKIP LOCKED),
gone AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM batch)) RETURNING 1)
SELECT count(*)::int AS n FROM gone`;
}

/** Says whether a chore that is done in pieces goes on with this one. */
export type GoesOn = () => boolean;

/** So many rows go in one transaction: it is short, and no snapshot is held for long. */
export const BATCH = 2_000;

interface Dropping {
  query: Query;
  goesOn: GoesOn;
}

/** Deletes what meets the condition of each statement on a value, such as a time, batch by batch. True: the piece is over, and there may be more. */
export async function dropBatches(
  { query, goesOn }: Dropping,
  statements: readonly (readonly [Statement<{ n: number }>, Date | string])[],
): Promise<boolean> {
  for (const [deleting, value] of statements) {
    if (await dropAll((most) => runOne(query, deleting, [value, most]), goesOn)) return true;
  }
  return false;
}

/** Deletes batch by batch, until one is not full. True: the piece is over, and there may be more. */
export async function dropAll(
  deleteBatch: (most: number) => Promise<{ n: number }>,
  goesOn: GoesOn = () => true,
): Promise<boolean> {
  for (;;) {
    const { n } = await deleteBatch(BATCH);
    if (n < BATCH) return false;
    if (!goesOn()) return true;
  }
}
