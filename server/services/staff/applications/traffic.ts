import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { type StoredTraffic, trafficSince } from "@/server/services/staff/applications/applications.sql";
import type { Traffic } from "@/server/services/staff/applications/shapes";

const HOURS = 24;
const HOUR_MS = 3_600_000;

/**
 * Reads the last 24 hours of every application that called in them, or of some. The current hour is counted up to the
 * last batch of the log.
 */
export async function trafficOf(
  query: Query,
  now: number,
  ids: readonly string[] | null,
): Promise<Map<string, Traffic>> {
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const rows = await run(query, trafficSince, [new Date(first), ids]);
  return new Map(rows.map(({ id: application, ...row }) => [application, trafficIn(row)]));
}

function trafficIn({ hours, requests, errors, throttled }: Omit<StoredTraffic, "id">): Traffic {
  const { requestsPerHour } = noTraffic();
  hours.forEach((hour, i) => {
    if (hour < HOURS) requestsPerHour[hour] = requests[i] ?? 0;
  });
  const all = requestsPerHour.reduce((sum, count) => sum + count, 0);
  return { requestsPerHour, errorRate: all === 0 ? 0 : errors / all, throttled };
}

export function noTraffic(): Traffic {
  return { requestsPerHour: Array.from({ length: HOURS }, () => 0), errorRate: 0, throttled: 0 };
}
