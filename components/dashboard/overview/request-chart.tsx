import { BarChart } from "@/components/ui/bar-chart";
import type { Overview } from "@/server/services/staff/overview/shapes";

const series = [
  { key: "fine", label: "2xx or 3xx", tone: "off" },
  { key: "errors", label: "4xx or 5xx", tone: "wait" },
] as const;

/** The last hour by the minute. */
export function RequestChart({ minutes }: { minutes: Overview["requestsPerMinute"] }) {
  const bars = minutes.map(({ at, count, errors }) => ({
    label: `${at.slice(11, 16)} UTC`,
    values: { fine: count - errors, errors },
  }));
  // The table behind the chart is taller than it: without a clip the page would scroll into nothing.
  return (
    <section aria-label="Requests per minute" className="relative overflow-hidden border-b px-6 py-4 max-sm:px-4">
      <BarChart title="Requests per minute" series={series} bars={bars} ends={["1 h ago", "30 min ago", "now"]} />
    </section>
  );
}
