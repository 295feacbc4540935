import pg from "pg";

/** Runs a statement in the database of a service, on a connection of its own, and gives its rows. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of any shape.
export async function rowsOf(databaseUrl: string, statement: string, values?: readonly unknown[]): Promise<any[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement, values && [...values])).rows;
  } finally {
    await client.end();
  }
}
