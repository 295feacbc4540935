import { db } from "@/server/db/client";

/** While it is under way, the database refuses everything about the table. For files with a database of their own. */
export async function withoutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  return await renamed((from, to) => `ALTER TABLE ${from} RENAME TO ${to}`, table, work);
}

/** As `withoutTable`, of whatever names the column. */
export async function withoutColumn<T>(table: string, column: string, work: () => Promise<T>): Promise<T> {
  return await renamed((from, to) => `ALTER TABLE ${table} RENAME ${from} TO ${to}`, column, work);
}

async function renamed<T>(
  rename: (from: string, to: string) => string,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  await db().query(rename(name, "a_secret_detail"));
  try {
    return await work();
  } finally {
    await db().query(rename("a_secret_detail", name));
  }
}
