import { BarChart } from "@/components/ui/bar-chart";
import { wallClock } from "@/components/ui/zoned-time";
import type { Overview } from "@/server/services/staff/overview/shapes";

const series = [
  { key: "fine", label: "2xx or 3xx", tone: "off" },
  { key: "errors", label: "4xx or 5xx", tone: "wait" },
] as const;

/** Charts the last hour by the minute, with times in a zone. */
export function RequestChart({ minutes, zone }: { minutes: Overview["requestsPerMinute"]; zone: string }) {
  const bars = minutes.map(({ at, count, errors }) => ({
    label: wallClock(Date.parse(at), zone).slice(11, 16),
    values: { fine: count - errors, errors },
  }));
  // The table behind the chart is taller than it: without a clip the page would scroll into empty space.
  return (
    <section aria-label="Requests per minute" className="relative overflow-hidden border-b px-6 py-4 max-sm:px-4">
      <BarChart title="Requests per minute" series={series} bars={bars} ends={["1 h ago", "30 min ago", "now"]} />
    </section>
  );
}
