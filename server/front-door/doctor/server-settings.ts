import type { Query } from "@/server/db/client";
import { runOne } from "@/server/db/statement";
import { env } from "@/server/env";
import { type ServerState, serverState } from "@/server/front-door/doctor/database.sql";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";

const GIB = 1024 ** 3;
/** Of each process, besides its pool: the connection on which it listens, and one for a chore. */
const BESIDE_POOL = 2;
const FULL = 0.8;
/** Almanac sets a time of its own for its statements; migrations and backups have the server's. */
const LEAST_TIMEOUT_MS = 300_000;

/** Checks the settings of a PostgreSQL server that Almanac depends on. */
export async function serverSettings(query: Query): Promise<Finding[]> {
  const state = await runOne(query, serverState);
  const size = (state.bytes / GIB).toFixed(1);
  return [
    ok("PostgreSQL", `Version ${state.version}, time zone ${state.timeZone}, ${size} GiB in this database`),
    connections(state),
    state.autovacuum
      ? ok("autovacuum", "On")
      : fail("autovacuum", "Off: tables grow and get slow. Set autovacuum = on in postgresql.conf and reload."),
    statementTimeout(state),
  ];
}

function connections({ maxConnections, reserved, connections }: ServerState): Finding {
  const room = maxConnections - reserved;
  const needed = env().DATABASE_POOL + BESIDE_POOL;
  const text = `${connections} of ${room} in use; this process needs up to ${needed}`;
  const advice = "Raise max_connections or lower DATABASE_POOL: all processes together need (DATABASE_POOL + 2) each.";
  if (needed > room) return fail("connections", `${text}. ${advice}`);
  return connections > FULL * room ? warn("connections", `${text}. ${advice}`) : ok("connections", text);
}

function statementTimeout({ statementTimeoutMs: ms }: ServerState): Finding {
  if (ms === 0 || ms >= LEAST_TIMEOUT_MS) return ok("statement_timeout", ms === 0 ? "None" : `${ms / 1_000} s`);
  return warn(
    "statement_timeout",
    `${ms / 1_000} s also ends migrations and backups. Almanac limits its own statements: ALTER ROLE … SET statement_timeout = 0.`,
  );
}
