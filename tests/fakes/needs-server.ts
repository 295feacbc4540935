import pg from "pg";

/** What a suite that is about a PostgreSQL server needs. Without it the tests would run on the embedded database, and fail for reasons that are none. */
export default async function needsServer(): Promise<void> {
  const address = process.env.TEST_DATABASE_URL;
  if (!address) {
    throw new Error(
      "These tests need a PostgreSQL server. Set TEST_DATABASE_URL to the address of one where databases can be created, for example postgresql://root@127.0.0.1:5432/postgres.",
    );
  }
  const client = new pg.Client({ connectionString: address });
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    const { host } = new URL(address);
    throw new Error(`The PostgreSQL server of TEST_DATABASE_URL (${host}) cannot be used: ${reasonOf(error)}`);
  }
}

/** Of several addresses of one name each has failed for a reason of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
