import type { Connection, Query } from "@/server/db/client";
import { run, runOne } from "@/server/db/statement";
import { choreTimes, lateChores } from "@/server/domain/chores";
import {
  backgroundFigures,
  deliveryFigures,
  requestsByMinute,
  throttledSince,
} from "@/server/services/staff/overview/overview.sql";
import type { Background, Overview } from "@/server/services/staff/overview/shapes";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LATE_AFTER_MS = 30_000;
/** A delivery fails at the latest this long after its creation. */
const LONGEST_LIFE_MS = 48 * HOUR_MS;

export async function requestsNow(
  query: Query,
  now: number,
  within: VisibleApplications,
): Promise<Overview["requestsPerMinute"]> {
  const rows = await run(query, requestsByMinute, [new Date(now), within]);
  return rows.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts }));
}

export async function throttledNow(
  query: Query,
  now: number,
  within: VisibleApplications,
): Promise<Overview["throttledApplications"]> {
  return await run(query, throttledSince, [new Date(now - HOUR_MS), within]);
}

export async function deliveriesNow(
  query: Query,
  now: number,
  within: VisibleApplications,
): Promise<Overview["deliveries"]> {
  const failedSince = new Date(Math.floor((now - LONGEST_LIFE_MS) / MINUTE_MS) * MINUTE_MS);
  const row = await runOne(query, deliveryFigures, [new Date(now - LATE_AFTER_MS), failedSince, within]);
  const { pending, retrying, lastError, late, failed } = row;
  const queued = Math.max(0, pending - retrying);
  return { queued, retrying, lastError, late, failed, failedSince: failedSince.toISOString() };
}

export async function backgroundNow({ query, prisma }: Connection, now: number): Promise<Omit<Background, "engine">> {
  const { lastLookAt, ...queue } = await runOne(query, backgroundFigures);
  const done = await prisma.chore.findMany({ select: { id: true, doneAt: true }, orderBy: { id: "asc" } });
  const chores = { count: Object.keys(choreTimes).length, late: lateChores(done, now) };
  return { chores, lastLookAt: lastLookAt.toISOString(), ...queue };
}
