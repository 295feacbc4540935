import type { Query } from "@/server/db/client";
import type { Traffic } from "@/server/services/staff/applications/shapes";

const HOURS = 24;
const HOUR_MS = 3_600_000;

interface StoredTraffic {
  id: string;
  /** After the first one; `requests` are theirs, in the same order. */
  hours: number[];
  requests: number[];
  errors: number;
  throttled: number;
}

/** The last 24 hours of every application that was called in them, or of one. The running hour is counted up to the last batch of the log. */
export async function trafficOf(query: Query, now: number, id: string | null): Promise<Map<string, Traffic>> {
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const rows = await query<StoredTraffic>(
    `SELECT application_id AS id, array_agg((date_part('epoch', hour - $1::timestamptz) / 3600)::int) AS hours, array_agg(requests) AS requests,
  sum(client_errors + server_errors)::int AS errors, sum(throttled)::int AS throttled
FROM request_counts_by_hour WHERE hour >= $1::timestamptz AND ($2::text IS NULL OR application_id = $2) GROUP BY 1`,
    [new Date(first), id],
  );
  return new Map(rows.map(({ id: application, ...row }) => [application, trafficIn(row)]));
}

function trafficIn({ hours, requests, errors, throttled }: Omit<StoredTraffic, "id">): Traffic {
  const { requestsPerHour } = quiet();
  hours.forEach((hour, i) => {
    if (hour < HOURS) requestsPerHour[hour] = requests[i] ?? 0;
  });
  const all = requestsPerHour.reduce((sum, count) => sum + count, 0);
  return { requestsPerHour, errorRate: all === 0 ? 0 : errors / all, throttled };
}

export function quiet(): Traffic {
  return { requestsPerHour: Array.from({ length: HOURS }, () => 0), errorRate: 0, throttled: 0 };
}
