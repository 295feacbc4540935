import { createServer, type ServerResponse } from "node:http";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import type { Env } from "@/server/env";
import type { Observations } from "@/server/front-door/metrics/registry";
import { portError } from "@/server/front-door/preflight";
import { whyNotReady } from "@/server/http/health";
import { inTime } from "@/server/in-time";
import { knownAges, readChoreAges } from "@/server/jobs/chore-state";
import { readQueues } from "@/server/jobs/queue-state";
import { lastRoundTrip } from "@/server/jobs/round-trips";
import { log, moduleOutage } from "@/server/log";
import { logLinesLost } from "@/server/log-lines";
import { readProviderHealth } from "@/server/services/staff/providers/health";
import { readBudgetFigures } from "@/server/store/mailboxes/provider-budgets";

/** Serves GET /metrics and /health/providers on a port of its own, and has this process's work measured from now on. Gives what ends it. Without METRICS_PORT nothing is loaded and nothing is measured. */
export async function serveMetrics({ METRICS_PORT, METRICS_HOST, ALMANAC_ROLE }: Env): Promise<() => Promise<void>> {
  if (METRICS_PORT === undefined) return async () => {};
  const { openMetrics } = await import("@/server/front-door/metrics/registry");
  const { meters, text, contentType } = await openMetrics();
  const queues = queueReader(ALMANAC_ROLE !== "web");
  const server = createServer(async (req, res) => {
    const path = (req.url ?? "").split("?")[0];
    const isKnown = path === "/metrics" || path === "/health/providers";
    if (!isKnown || req.method !== "GET") return void res.writeHead(isKnown ? 405 : 404).end();
    if (path === "/health/providers") return await respondWithProviders(res);
    const [found, notReady] = await Promise.all([queues(), whyNotReady()]);
    const roundTrip = lastRoundTrip();
    const places = { admission: admission(), longestHolds: longestHolds() };
    const isRedisOk = context.services?.limiter.isShared();
    const lines = { logLinesLost: logLinesLost() };
    const observed = { pool: db().connections(), ...found, roundTrip, isRedisOk, ...places, ...lines, notReady };
    res.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(await text(observed));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(portError(error, METRICS_HOST, METRICS_PORT, "METRICS_")));
    server.listen({ host: METRICS_HOST, port: METRICS_PORT }, () => resolve());
  });
  context.meters = meters;
  return async () => {
    context.meters = undefined;
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
}

/** Serves the health of the providers of calendars as JSON, or 503 while the database is away. */
async function respondWithProviders(res: ServerResponse): Promise<void> {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  try {
    const providers = await inTime(READ_WITHIN_MS, readProviderHealth(db().query, clock().now()), tooLate);
    res.writeHead(200, headers).end(JSON.stringify({ providers }));
  } catch (error) {
    log({ module: "metrics" }).error({ err: error }, "the health of providers could not be read");
    res.writeHead(503, headers).end(JSON.stringify({ status: "unavailable" }));
  }
}

function admission(): Observations["admission"] {
  const { requests, largeBodies } = context.services?.admission ?? {};
  return { request: requests?.waiting() ?? 0, large_body: largeBodies?.waiting() ?? 0 };
}

function longestHolds(): Observations["longestHolds"] {
  const { requests, largeBodies } = context.services?.admission ?? {};
  return { request: requests?.longestHold() ?? 0, large_body: largeBodies?.longestHold() ?? 0 };
}

/** Below what Prometheus waits for a scrape by default, 10 s. */
const READ_WITHIN_MS = 3_000;

/**
 * Returns a reader of the queues that never fails, and takes no longer than `withinMs`: a scrape while the database is
 * away, or does not respond, has everything else.
 */
export function queueReader(
  doesWork: boolean,
  { read = readWork, withinMs = READ_WITHIN_MS } = {},
): () => Promise<Pick<Observations, "queues" | "chores" | "budgets">> {
  const outage = moduleOutage("metrics", {
    down: "the queues cannot be measured",
    up: "the queues are measured again",
  });
  return async () => {
    if (!doesWork) return {};
    try {
      const found = await inTime(withinMs, read(), tooLate);
      outage.recovered();
      return found;
    } catch (error) {
      outage.failed(error);
      return { queues: null, chores: null, budgets: null };
    }
  };
}

async function readWork() {
  const [queues, ages, budgets] = await Promise.all([readQueues(), readChoreAges(), readBudgetFigures()]);
  return { queues, chores: knownAges(ages), budgets };
}

function tooLate(): never {
  throw Object.assign(new Error("the database did not respond in time"), { code: "ETIMEDOUT" });
}
