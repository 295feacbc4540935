import pg from "pg";
import { type TestDatabase, testDatabase } from "./test-database";

/** A database that was new once, and what it had then. */
interface Reusable extends TestDatabase {
  content: Content;
}

interface Content {
  /** Its tables, indexes and sequences, with what ANALYZE noted of them. */
  schema: string;
  tables: Table[];
  /** What migrations put into tables. */
  rows: Record<string, unknown[]>;
}

interface Table {
  name: string;
  isPartition: boolean;
}

const idle: Reusable[] = [];

/**
 * As `testDatabase`, for a test file: an embedded database that an earlier file of this process closed is emptied and used again, because starting
 * one takes a second or two of processor time (ADR 62). It is emptied when it is opened: what ends late in a file still writes after closing it.
 */
export async function reusedDatabase(): Promise<TestDatabase> {
  if (process.env.TEST_DATABASE_URL) return await testDatabase();
  const database = (await emptied(idle.pop())) ?? (await opened());
  return {
    url: database.url,
    close: async () => {
      idle.push(database);
    },
  };
}

async function opened(): Promise<Reusable> {
  const database = await testDatabase();
  return { ...database, content: await onConnection(database.url, contentOf) };
}

/** The database as it was when it was new; nothing of one whose tables a file changed or analyzed. */
async function emptied(database: Reusable | undefined): Promise<Reusable | undefined> {
  if (!database) return undefined;
  const isEmptied = await onConnection(database.url, (client) => empty(client, database.content));
  if (isEmptied) return database;
  await database.close();
  return undefined;
}

async function empty(client: pg.Client, { schema, tables, rows }: Content): Promise<boolean> {
  const known = new Set(tables.map(({ name }) => name));
  const days = (await schemaOf(client)).tables.filter(({ name, isPartition }) => isPartition && !known.has(name));
  if (days.length > 0) await client.query(`DROP TABLE ${days.map(({ name }) => quoted(name)).join()}`);
  if ((await schemaOf(client)).schema !== schema) return false;
  // One backend serves all connections: what one has set, locked or prepared would stay.
  await client.query("DISCARD ALL");
  const deletions = wholes(tables).map((name) => `DELETE FROM ${quoted(name)};`);
  // Nothing that a deletion triggers is wanted, and entries of the audit trail are otherwise only ever added.
  await client.query(`BEGIN; SET LOCAL session_replication_role = replica; ${deletions.join("")}`);
  for (const [name, seeds] of Object.entries(rows)) {
    const insert = `INSERT INTO ${quoted(name)} SELECT * FROM jsonb_populate_recordset(NULL::${quoted(name)}, $1)`;
    await client.query(insert, [JSON.stringify(seeds)]);
  }
  await client.query("SELECT setval(format('%I', sequencename)::regclass, start_value, false) FROM pg_sequences");
  await client.query("COMMIT");
  return true;
}

async function contentOf(client: pg.Client): Promise<Content> {
  const { schema, tables } = await schemaOf(client);
  const rows: Record<string, unknown[]> = {};
  for (const name of wholes(tables)) {
    const found = await client.query(`SELECT to_jsonb(t) AS row FROM ${quoted(name)} t`);
    if (found.rows.length > 0) rows[name] = found.rows.map(({ row }) => row);
  }
  return { schema, tables, rows };
}

async function schemaOf(client: pg.Client): Promise<{ schema: string; tables: Table[] }> {
  const { rows } = await client.query(
    `SELECT relname AS name, relkind AS kind, relispartition AS "isPartition",
  concat_ws(' ', relname, relkind, relnatts, relchecks, reltuples, pg_get_expr(relpartbound, oid)) AS text
FROM pg_class WHERE relkind IN ('r', 'p', 'i', 'I', 'S') AND relnamespace = 'public'::regnamespace ORDER BY relname`,
  );
  const tables = rows.filter(({ kind }) => kind === "r" || kind === "p");
  return { schema: rows.map(({ text }) => text).join("\n"), tables };
}

/** The tables that are no part of another. */
function wholes(tables: Table[]): string[] {
  return tables.filter(({ isPartition }) => !isPartition).map(({ name }) => name);
}

async function onConnection<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const quoted = (name: string) => `"${name}"`;
