import type { Query } from "@/server/db/client";
import type { Traffic } from "@/server/services/staff/applications/shapes";

const HOURS = 24;
const HOUR_MS = 3_600_000;

/** The last 24 hours of every application that was called in them, or of one. */
export async function trafficOf(query: Query, now: number, id: string | null): Promise<Map<string, Traffic>> {
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const rows = await query<{ id: string; at: Date; requests: number; errors: number; throttled: number }>(
    `SELECT application_id AS id, date_bin('1 hour', minute, $1) AS at, sum(requests)::int AS requests,
  sum(client_errors + server_errors)::int AS errors, sum(throttled)::int AS throttled
FROM request_counts WHERE minute >= $1::timestamptz AND ($2::text IS NULL OR application_id = $2) GROUP BY 1, 2`,
    [new Date(first), id],
  );
  const found = new Map<string, Traffic & { errors: number }>();
  for (const { id: application, at, requests, errors, throttled } of rows) {
    const hour = (at.getTime() - first) / HOUR_MS;
    const traffic = found.get(application) ?? { ...quiet(), errors: 0 };
    found.set(application, traffic);
    if (hour >= 0 && hour < HOURS) traffic.requestsPerHour[hour] = requests;
    traffic.errors += errors;
    traffic.throttled += throttled;
  }
  return new Map([...found].map(([application, traffic]) => [application, rated(traffic)]));
}

export function quiet(): Traffic {
  return { requestsPerHour: Array.from({ length: HOURS }, () => 0), errorRate: 0, throttled: 0 };
}

function rated({ errors, ...traffic }: Traffic & { errors: number }): Traffic {
  const requests = traffic.requestsPerHour.reduce((sum, count) => sum + count, 0);
  return { ...traffic, errorRate: requests === 0 ? 0 : errors / requests };
}
