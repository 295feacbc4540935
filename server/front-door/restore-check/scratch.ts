import { randomBytes } from "node:crypto";
import pg from "pg";
import { type Finding, ok, warn } from "@/server/front-door/doctor/report";
import { ToolFault } from "@/server/front-door/restore-check/dump";
import { codeOf } from "@/server/front-door/start-error";

const CONNECT_MS = 5_000;

/** A new, empty database beside another one. */
export interface Scratch {
  url: string;
  /** Drops it, and says so. */
  drop(): Promise<Finding>;
}

/** Creates a database on the server of an address, whose user may create databases. Throws ToolFault. */
export async function scratchDatabase(server: string): Promise<Scratch> {
  const name = `almanac_restore_check_${randomBytes(4).toString("hex")}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE template0`).catch((error) => {
    throw new ToolFault(
      "restore",
      `No database can be created (${codeOf(error)}). Use a user with CREATEDB, or name another server with --server.`,
    );
  });
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      execute(server, `DROP DATABASE ${name} WITH (FORCE)`).then(
        () => ok("cleanup", "The restored database was dropped."),
        (error) => warn("cleanup", `Drop the database ${name} yourself (${codeOf(error)}).`),
      ),
  };
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS });
  client.on("error", () => {}); // a lost connection fails the query that runs
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
