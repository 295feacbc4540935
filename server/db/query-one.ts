import type { Query } from "@/server/db/client";

/** The row of a statement that always gives one, whatever is stored. Throws when there is none: no value is made up for it. */
export async function queryOne<Row extends object>(
  query: Query,
  text: string,
  values?: readonly unknown[],
): Promise<Row> {
  const [row] = await query<Row>(text, values);
  if (row === undefined) throw new Error("A statement that always gives a row gave none.");
  return row;
}
