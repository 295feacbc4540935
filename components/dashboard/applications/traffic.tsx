"use client";

import { requestsOf } from "@/components/dashboard/applications/words";
import { BarChart } from "@/components/ui/bar-chart";
import { shortTime } from "@/components/ui/local-time";
import { formatCount, formatShare } from "@/components/ui/number";
import { useTimes } from "@/components/ui/times";
import type { Traffic as TrafficFigures } from "@/server/services/staff/applications/shapes";

const HOUR_MS = 3_600_000;
const series = [{ key: "requests", label: "Requests", tone: "accent" }] as const;

/** Charts the requests of an application in the last day, hour by hour. */
export function Traffic({ traffic, now }: { traffic: TrafficFigures; now: number }) {
  const { zone } = useTimes();
  const hours = traffic.requestsPerHour;
  if (requestsOf(traffic) === 0) return <p className="text-13 text-faint">No requests in the last 24 hours.</p>;
  const bars = hours.map((requests, index) => {
    const at = new Date(Math.floor(now / HOUR_MS) * HOUR_MS - (hours.length - 1 - index) * HOUR_MS).toISOString();
    return { label: shortTime(at, zone), values: { requests } };
  });
  return (
    <>
      <BarChart title="Requests per hour" series={series} bars={bars} ends={["24 h ago", "12 h ago", "now"]} />
      <p className="tnum mt-2 text-13 text-faint">
        {formatShare(traffic.errorRate)} errors (4xx or 5xx) · {formatCount(traffic.throttled)} rate-limited
      </p>
    </>
  );
}
