import type { Query } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import {
  backgroundFigures,
  deliveryFigures,
  requestsByMinute,
  throttledSince,
} from "@/server/services/staff/overview/overview.sql";
import type { Background, Overview } from "@/server/services/staff/overview/shapes";
import type { Within } from "@/server/services/staff/procedure/scope";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LATE_AFTER_MS = 30_000;
/** A delivery fails at the latest so long after it was made. */
const LONGEST_LIFE_MS = 48 * HOUR_MS;

export async function requestsNow(query: Query, now: number, within: Within): Promise<Overview["requestsPerMinute"]> {
  const rows = await run(query, requestsByMinute, [new Date(now), within]);
  return rows.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts }));
}

export async function throttledNow(
  query: Query,
  now: number,
  within: Within,
): Promise<Overview["throttledApplications"]> {
  return await run(query, throttledSince, [new Date(now - HOUR_MS), within]);
}

export async function deliveriesNow(query: Query, now: number, within: Within): Promise<Overview["deliveries"]> {
  const failedSince = new Date(Math.floor((now - LONGEST_LIFE_MS) / MINUTE_MS) * MINUTE_MS);
  const row = await runOne(query, deliveryFigures, [new Date(now - LATE_AFTER_MS), failedSince, within]);
  const { pending, retrying, lastError, late, failed } = row;
  const queued = Math.max(0, pending - retrying);
  return { queued, retrying, lastError, late, failed, failedSince: failedSince.toISOString() };
}

export async function backgroundNow(query: Query, now: number): Promise<Omit<Background, "executor">> {
  const row = await runOne(query, backgroundFigures, [APP_ID, new Date(now - DAY_MS), SWEEP_ID]);
  return {
    runs: {
      open: row.open,
      failed24h: row.failed24h,
      oldestDueAt: row.oldestDueAt?.toISOString() ?? null,
    },
    lastSweepAt: row.lastSweepAt?.toISOString() ?? null,
    waitingSignals: row.waitingSignals,
    deadLetters: row.deadLetters,
  };
}

/** The names under which jobs keeps its runs. */
const APP_ID = "almanac";
const SWEEP_ID = "almanac-sweep";
