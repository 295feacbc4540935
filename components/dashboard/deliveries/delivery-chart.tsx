import Link from "next/link";
import { filtered, type Params } from "@/components/dashboard/address";
import { DELIVERIES } from "@/components/dashboard/deliveries/filters";
import { errorWord } from "@/components/dashboard/deliveries/words";
import { BarChart } from "@/components/ui/bar-chart";
import { formatCount } from "@/components/ui/number";
import { Bone } from "@/components/ui/skeleton";
import { ShareBar } from "@/components/ui/spark";
import type { DeliveryChart as Figures } from "@/server/services/staff/deliveries/shapes";

const series = [
  { key: "delivered", label: "Delivered", tone: "good" },
  { key: "pending", label: "Pending", tone: "wait" },
  { key: "failed", label: "Failed", tone: "bad" },
] as const;

/** The last 24 hours by the hour, and why what did not arrive did not. */
export function DeliveryChart({ hours, errors, params }: Figures & { params: Params }) {
  const bars = hours.map(({ at, delivered, failed, pending }) => ({
    label: `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`,
    values: { delivered, failed, pending },
  }));
  const retried = hours.reduce((sum, hour) => sum + hour.retried, 0);
  const most = Math.max(1, ...errors.map(({ count }) => count));
  return (
    <div className="grid gap-x-10 gap-y-4 border-y px-6 py-3 max-sm:px-4 lg:grid-cols-[minmax(0,1fr)_220px]">
      <BarChart
        title={`Last 24 hours${retried > 0 ? `, ${formatCount(retried)} retried` : ""}`}
        series={series}
        bars={bars}
        ends={["24 h ago", "12 h ago", "now"]}
      />
      <section aria-label="Why deliveries did not arrive" className="text-12 max-lg:hidden">
        <h2 className="mb-2">Didn’t arrive</h2>
        {errors.length === 0 && <p className="text-faint">Everything arrived.</p>}
        <ul>
          {errors.slice(0, 4).map(({ errorClass, count }) => (
            <li key={errorClass}>
              <Link
                href={filtered(DELIVERIES, params, wayTo(errorClass))}
                prefetch={false}
                className="grid h-5.5 grid-cols-[7.5rem_1fr_auto] items-center gap-2 rounded-sm hover:text-accent"
              >
                <span className="truncate">{errorWord(errorClass)}</span>
                <ShareBar share={count / most} />
                <span className="tnum text-faint">{formatCount(count)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Holds the chart's place. */
export function DeliveryChartBones() {
  return (
    <div className="h-[134px] border-y px-6 py-3 max-sm:px-4">
      <Bone className="w-32" />
      <div className="skeleton mt-2 h-18 w-full" />
    </div>
  );
}

function wayTo(errorClass: string) {
  const isStatus = /^[2-5]xx$/.test(errorClass);
  return { range: "24h", state: ["failed", "pending"], [isStatus ? "statusClass" : "errorClass"]: errorClass };
}
