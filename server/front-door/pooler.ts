import pg from "pg";
import { serverOptions } from "@/server/db/server-options";

const TIMEOUT_MS = 5_000;
/** In transaction mode the first one mostly gets the connection that was just given back. */
const MOST_HOLDERS = 4;
const NAMED = { name: "almanac: is a named statement kept", text: "SELECT pg_backend_pid() AS pid" };
const UNNAMED = { text: NAMED.text };

type Sent = typeof NAMED | typeof UNNAMED;

/**
 * Checks whether a statement that was prepared in one transaction can be run in the next. That fails behind a pooler
 * that gives each transaction any of its connections, unless the pooler tracks statements: there, only some of the
 * requests would fail.
 */
export async function keepsStatements(connectionString: string): Promise<boolean> {
  const clients: pg.Client[] = [];
  const open = async () => {
    const client = new pg.Client({
      ...{ connectionString, options: serverOptions(connectionString) },
      ...{ connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS },
    });
    client.on("error", () => {}); // a lost connection fails the query that runs
    clients.push(client);
    await client.connect();
    return client;
  };
  try {
    const client = await open();
    const first = await inTransaction(client, NAMED);
    // A pooler gives its clients process numbers of its own.
    if (first === (client as { processID?: unknown }).processID) return true;
    const hold = async () => {
      const holder = await open();
      await holder.query("BEGIN");
      return await pidOf(holder, UNNAMED);
    };
    for (let holders = 0; holders < MOST_HOLDERS; holders++) {
      const held = await hold().catch(() => first); // a pooler that has no more connections
      if (held === first) break;
    }
    return await inTransaction(client, NAMED).then(
      () => true,
      () => false,
    );
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
}

async function inTransaction(client: pg.Client, sent: Sent): Promise<number | undefined> {
  await client.query("BEGIN");
  const pid = await pidOf(client, sent);
  await client.query("COMMIT");
  return pid;
}

async function pidOf(client: pg.Client, sent: Sent): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>(sent);
  return rows[0]?.pid;
}
