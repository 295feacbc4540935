import { randomBytes } from "node:crypto";
import pg from "pg";

/** A new database on a PostgreSQL server, empty or a copy of another, and how to drop it. */
export async function newDatabase(address: string, prefix: string, template = "template1") {
  const name = `${prefix}_${randomBytes(6).toString("hex")}`;
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  return { url: url.href, close: () => run(`DROP DATABASE ${name} WITH (FORCE)`) };
}
