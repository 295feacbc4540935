import Link from "next/link";
import { filtered, firstOf, type Params } from "@/components/dashboard/address/address";
import { rangeWords } from "@/components/dashboard/address/time-range";
import { errorWord } from "@/components/dashboard/deliveries/words";
import { BarChart } from "@/components/ui/bar-chart";
import { shortTime } from "@/components/ui/local-time";
import { formatCount } from "@/components/ui/number";
import { Bone } from "@/components/ui/skeleton";
import { ShareBar } from "@/components/ui/spark";
import type { DeliveryBar, DeliveryChart as Figures } from "@/server/services/staff/deliveries/shapes";

const series = [
  { key: "delivered", label: "Delivered", tone: "good" },
  { key: "queued", label: "Queued", tone: "accent" },
  { key: "retrying", label: "Retrying", tone: "wait" },
  { key: "failed", label: "Failed", tone: "bad" },
] as const;
const cancelled = { key: "cancelled", label: "Canceled", tone: "off" } as const;

interface DeliveryChartProps extends Figures {
  /** The path of the list. */
  path: string;
  params: Params;
  /** The zone of the times. */
  zone: string;
}

/** Charts the filtered deliveries over time, and why some of them failed. */
export function DeliveryChart({ path, bars, errors, params, zone }: DeliveryChartProps) {
  const sum = (key: Exclude<keyof DeliveryBar, "at">) => bars.reduce((total, bar) => total + bar[key], 0);
  const retried = sum("retried");
  const range = rangeWords(params, zone) ?? "last 24 hours";
  return (
    <div className="grid gap-x-10 gap-y-4 border-y px-6 py-3 max-sm:px-4 lg:grid-cols-[minmax(0,1fr)_220px]">
      <BarChart
        title={`${range.charAt(0).toUpperCase()}${range.slice(1)}${retried > 0 ? `, ${formatCount(retried)} retried` : ""}`}
        series={sum("cancelled") > 0 ? [...series, cancelled] : series}
        bars={bars.map(({ at, ...values }) => ({ label: shortTime(at, zone), values }))}
        ends={endsOf(bars, params, zone)}
      />
      <section aria-label="Failures by reason" className="text-12 max-lg:hidden">
        <h2 className="mb-2">Failures by reason</h2>
        {errors.length === 0 && (
          <p className="text-faint">{sum("queued") + sum("retrying") > 0 ? "None so far." : "None."}</p>
        )}
        <Reasons path={path} errors={errors} params={params} />
      </section>
    </div>
  );
}

function Reasons({ path, errors, params }: Pick<DeliveryChartProps, "path" | "errors" | "params">) {
  const most = Math.max(1, ...errors.map(({ count }) => count));
  return (
    <ul>
      {errors.slice(0, 4).map(({ errorClass, count }) => (
        <li key={errorClass}>
          <Link
            href={filtered(path, params, wayTo(errorClass, params))}
            prefetch={false}
            className="grid h-6 grid-cols-[8.5rem_1fr_auto] items-center gap-2 rounded-sm hover:text-accent"
          >
            <span className="truncate">{errorWord(errorClass)}</span>
            <ShareBar share={count / most} />
            <span className="tnum text-faint">{formatCount(count)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

export function DeliveryChartSkeleton() {
  return (
    <div className="h-[134px] border-y px-6 py-3 max-sm:px-4">
      <Bone className="w-32" />
      <div className="skeleton mt-2 h-18 w-full" />
    </div>
  );
}

function endsOf(bars: readonly DeliveryBar[], params: Params, zone: string): string[] {
  if (!firstOf(params, "range") && !firstOf(params, "from") && !firstOf(params, "to"))
    return ["24 h ago", "12 h ago", "now"];
  const [first, last] = [bars[0], bars.at(-1)];
  return first && last ? [shortTime(first.at, zone), shortTime(last.at, zone)] : [];
}

/** Links to the list of exactly these: its own filters, and the reason. */
function wayTo(errorClass: string, params: Params) {
  const isStatus = /^[1-5]xx$/.test(errorClass);
  const hasTime = firstOf(params, "range") || firstOf(params, "from");
  const hasState = firstOf(params, "state") !== undefined;
  return {
    ...(!hasTime && { range: "24h" }),
    ...(!hasState && { state: ["failed", "retrying"] }),
    [isStatus ? "statusClass" : "errorClass"]: errorClass,
  };
}
