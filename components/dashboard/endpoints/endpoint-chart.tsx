import Link from "next/link";
import { endpointPath } from "@/components/dashboard/address/paths";
import { BarChart } from "@/components/ui/bar-chart";
import { classes } from "@/components/ui/classes";
import { shortTime } from "@/components/ui/local-time";
import type { EndpointPage } from "@/server/services/staff/endpoints/shapes";

const series = [
  { key: "succeeded", label: "Succeeded", tone: "good" },
  { key: "failed", label: "Failed", tone: "bad" },
] as const;

interface EndpointChartProps extends Pick<EndpointPage, "bars"> {
  id: string;
  isWeek: boolean;
  /** The zone of the times. */
  zone: string;
}

/** Charts the attempts of the last day or week, hour by hour. */
export function EndpointChart({ id, bars, isWeek, zone }: EndpointChartProps) {
  const ends = isWeek ? ["7 d ago", "3.5 d ago", "now"] : ["24 h ago", "12 h ago", "now"];
  return (
    <section aria-labelledby="attempts" className="grid gap-2 px-6 py-3 max-sm:px-4">
      <div className="flex items-center justify-between gap-4">
        <h2 id="attempts" className="text-13 font-medium">
          Attempts
        </h2>
        <nav aria-label="Time range" className="flex gap-1 text-12">
          <RangeLink href={endpointPath(id)} isSet={!isWeek}>
            24 hours
          </RangeLink>
          <RangeLink href={`${endpointPath(id)}?range=7d`} isSet={isWeek}>
            7 days
          </RangeLink>
        </nav>
      </div>
      <BarChart
        title="Attempts per hour"
        series={series}
        bars={bars.map(({ at, ...values }) => ({ label: shortTime(at, zone), values }))}
        ends={ends}
      />
    </section>
  );
}

function RangeLink({ href, isSet, children }: { href: string; isSet: boolean; children: string }) {
  return (
    <Link
      href={href}
      prefetch={false}
      scroll={false}
      aria-current={isSet ? "true" : undefined}
      className={classes(
        "inline-flex h-6 items-center rounded-sm px-2 max-sm:h-9",
        isSet ? "bg-picked text-ink" : "text-faint hover:text-ink",
      )}
    >
      {children}
    </Link>
  );
}
