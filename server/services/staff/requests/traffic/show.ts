import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { env } from "@/server/env";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { type TrafficRange, trafficRanges } from "@/server/services/staff/lists/requests";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import type { Traffic } from "@/server/services/staff/requests/traffic/shapes";
import { sampledTraffic, volumeByBar } from "@/server/services/staff/requests/traffic/traffic.sql";

const HOUR_MS = 3_600_000;
/** The most requests of a sample, and of how many slices of the range. */
const MOST_SAMPLED = 12_000;
const MOST_SLICES = 240;
const MOST_ROUTES = 20;

const input = z
  .object({
    range: z.enum(Object.keys(trafficRanges) as [TrafficRange, ...TrafficRange[]]).default("24h"),
    application: text({ min: 1, max: 100 }).optional(),
  })
  .prefault({});

/** Reads volume, errors and latency of requests over a range, and by route. */
export const requestTraffic = scopedProcedure
  .input(staffInput(input))
  .query(async ({ input: { range, application }, ctx: { db, now, scope } }): Promise<Traffic> => {
    const { bars, barMs } = trafficRanges[range];
    // The last bar contains the current minute, or hour.
    const unit = Math.min(barMs, HOUR_MS);
    const to = Math.floor(now / unit) * unit + unit;
    const within = visible(scope.applications, application);
    if (within?.length === 0) return emptyTraffic(to - bars * barMs, trafficRanges[range]);
    const span = { from: new Date(to - bars * barMs), to: new Date(to), barMs, within };
    const owners = Math.max(1, within?.length ?? 1);
    const slices = bars * Math.max(1, Math.floor(MOST_SLICES / bars / owners));
    const ofSlice = Math.max(1, Math.floor(MOST_SAMPLED / slices / owners));
    const [volume, sample] = await Promise.all([
      runComposed(db.query, volumeByBar, { ...span, isHourly: barMs >= HOUR_MS }),
      runComposed(db.query, sampledTraffic, { ...span, slices, ofSlice, share: sampledShare() }),
    ]);
    const routes = sample.filter(({ isRoute }) => isRoute);
    return {
      bars: Array.from({ length: bars }, (_, index) => {
        const { requests = 0, clientErrors = 0, serverErrors = 0 } = volume.find(({ bar }) => bar === index) ?? {};
        const { p50 = null, p95 = null } = sample.find(({ bar }) => bar === index) ?? {};
        const at = new Date(span.from.getTime() + index * barMs).toISOString();
        return { at, requests, clientErrors, serverErrors, p50, p95 };
      }),
      routes: routes
        .sort((a, b) => b.errors - a.errors || b.sampled - a.sampled)
        .slice(0, MOST_ROUTES)
        .map(({ method, endpoint, sampled, errors, p50, p95 }) => ({
          ...{ method: method ?? "", endpoint, sampled, errors, p50, p95 },
        })),
      requests: volume.reduce((sum, bar) => sum + bar.requests, 0),
      sampled: routes.reduce((sum, route) => sum + route.sampled, 0),
    };
  });

/** Returns the share of all requests that the log stores whatever they were. Null: it stores all, or no successful read at all. */
function sampledShare(): number | null {
  const { REQUEST_LOG_SAMPLE } = env();
  return REQUEST_LOG_SAMPLE === 0 || REQUEST_LOG_SAMPLE === 1 ? null : REQUEST_LOG_SAMPLE;
}

function emptyTraffic(from: number, { bars, barMs }: { bars: number; barMs: number }): Traffic {
  const none = { requests: 0, clientErrors: 0, serverErrors: 0, p50: null, p95: null };
  const at = (index: number) => new Date(from + index * barMs).toISOString();
  return {
    bars: Array.from({ length: bars }, (_, index) => ({ at: at(index), ...none })),
    routes: [],
    requests: 0,
    sampled: 0,
  };
}

/** Narrows what an operator sees to one application. One that they don't see has no requests. */
function visible(applications: VisibleApplications, application: string | undefined): VisibleApplications {
  if (application === undefined) return applications;
  return applications === null || applications.includes(application) ? [application] : [];
}
