import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { schemaState } from "@/server/db/schema-state.sql";
import { runOne } from "@/server/db/statement";
import { wasStuck } from "@/server/event-loop-delay";
import { inTime } from "@/server/in-time";

const PATIENCE_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

/** Why a process should get no requests, as metrics and as people name it. */
export const unreadiness = {
  shutting_down: "Almanac is shutting down",
  held_up: "This process is too busy to respond in time",
  database_slow: `The database did not respond within ${PATIENCE_MS / 1000} seconds`,
  database_away: "The database can't be reached",
  migration_missing: "The database lacks a migration of this version of Almanac",
} as const;

export type Unreadiness = keyof typeof unreadiness;

/** Reads why this process should get no requests now. Null: it is ready. */
export async function whyNotReady(): Promise<Unreadiness | null> {
  if (context.isDraining) return "shutting_down";
  return wasStuck() ? "held_up" : databaseFault();
}

/**
 * Serves GET /health and /health/ready: 200 `{ status: "ready" }`, or 503 with the reason why this process should get
 * no requests; both say what is running. It is not in the request log, because a balancer asks every few seconds.
 */
export async function health(): Promise<Response> {
  const reason = await whyNotReady();
  const state = reason === null ? { status: "ready" } : { status: "not ready", reason: unreadiness[reason] };
  const body = { ...state, ...context.build };
  const status = reason === null ? 200 : 503;
  const wait: Record<string, string> = reason === null ? {} : { "retry-after": String(RETRY_AFTER_SECONDS) };
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...wait } });
}

/**
 * Serves GET /health/live: 200 as long as this process responds at all, also while the database is away or the process
 * is shutting down.
 */
export async function live(): Promise<Response> {
  return Response.json({ status: "live" }, { headers: { "cache-control": "no-store" } });
}

let looking: Promise<Unreadiness | null> | undefined;

/**
 * Shares one look at the database among all who ask at the same time: anybody may ask, and none of them waits for a
 * turn at the database.
 */
function databaseFault(): Promise<Unreadiness | null> {
  looking ??= look().finally(() => {
    looking = undefined;
  });
  return looking;
}

async function look(): Promise<Unreadiness | null> {
  const result = runOne(db().query, schemaState, [context.migration ?? null]).then(
    ({ migrated }) => (migrated ? null : "migration_missing"),
    () => "database_away" as const,
  );
  return inTime(PATIENCE_MS, result, () => "database_slow" as const);
}
