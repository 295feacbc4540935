import { scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import { Drawing, type Mark } from "@/components/ui/drawing";
import { formatCount, formatDuration } from "@/components/ui/number";

export type BarTone = "good" | "bad" | "wait" | "off" | "accent";

const fills: Record<BarTone, string> = {
  good: "fill-green",
  bad: "fill-red",
  wait: "fill-amber",
  off: "fill-edge",
  accent: "fill-accent",
};
const dots: Record<BarTone, string> = {
  good: "bg-green",
  bad: "bg-red",
  wait: "bg-amber",
  off: "bg-edge",
  accent: "bg-accent",
};

export interface Series {
  key: string;
  label: string;
  tone: BarTone;
}

export interface Bar {
  /** The bar's label: "14:00". */
  label: string;
  values: Record<string, number>;
}

/** `counts` are stacked and summed up; `durations`, in milliseconds, are drawn over one another, the longest first. */
type Measure = "counts" | "durations";

interface BarChartProps {
  /** Its subject: the caption of the table behind it, and the image's name. */
  title: string;
  series: readonly Series[];
  bars: readonly Bar[];
  /** The labels under the left end, the middle and the right end. */
  ends: readonly string[];
  measure?: Measure;
}

const formats: Record<Measure, (value: number) => string> = { counts: formatCount, durations: formatDuration };

const WIDTH = 1_000;
const HEIGHT = 72;
const GAP = 0.22;

/** Shows bars, drawn on the server, and the same figures in a table for screen readers. */
export function BarChart({ title, series, bars, ends, measure = "counts" }: BarChartProps) {
  const charted = { series, bars, measure };
  const most = mostOf(charted);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-12 text-faint">
        <span className="text-ink">{title}</span>
        {series.map(({ key, label, tone }) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full ${dots[tone]}`} />
            {label} {measure === "counts" && <span className="tnum">{formatCount(sum(bars, key))}</span>}
          </span>
        ))}
        <span className="ml-auto tnum max-sm:hidden">peak {formats[measure](most)}</span>
      </figcaption>
      <Drawing
        width={WIDTH}
        height={HEIGHT}
        marks={[...marksOf(charted), ...hoversOf(charted)]}
        className="block h-18 w-full border-b"
      />
      <div aria-hidden className="mt-1 flex justify-between text-12 text-faint">
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </div>
      {/* A table itself ignores a height of one pixel. */}
      <div className="sr-only">
        <ChartTable title={title} {...charted} />
      </div>
    </figure>
  );
}

type Charted = Required<Pick<BarChartProps, "series" | "bars" | "measure">>;

function ChartTable({ title, series, bars, measure }: Charted & { title: string }) {
  return (
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map(({ key, label }) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <th scope="row">{bar.label}</th>
            {series.map(({ key }) => (
              <td key={key}>{measure === "counts" ? (bar.values[key] ?? 0) : formatDuration(bar.values[key] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function marksOf({ bars, series, measure }: Charted): Mark[] {
  const y = scaleLinear([0, mostOf({ bars, series, measure })], [HEIGHT, 0]);
  const step = WIDTH / Math.max(1, bars.length);
  const layers = stack<Bar, string>()
    .keys(series.map(({ key }) => key))
    .value((bar, key) => bar.values[key] ?? 0)(bars);
  return layers.flatMap((layer, index) =>
    layer.flatMap(([below, above], at) => {
      const [from, to] = measure === "counts" ? [below, above] : [0, above - below];
      if (to <= from) return [];
      return {
        x: round(at * step + (step * GAP) / 2),
        y: round(y(to)),
        width: round(step * (1 - GAP)),
        height: round(Math.max(0.75, y(from) - y(to))),
        look: fills[series[index]?.tone ?? "off"],
      };
    }),
  );
}

/** Builds hover areas: the whole height of each bar shows its figures. */
function hoversOf({ bars, series, measure }: Charted): Mark[] {
  const step = WIDTH / Math.max(1, bars.length);
  return bars.map(({ label, values }, at) => ({
    x: round(at * step),
    y: 0,
    width: round(step),
    height: HEIGHT,
    look: "fill-transparent hover:fill-hover",
    title: [label, ...series.map(({ key, label: name }) => `${name}: ${formats[measure](values[key] ?? 0)}`)].join(
      "\n",
    ),
  }));
}

function mostOf({ bars, series, measure }: Charted): number {
  if (measure === "durations") return Math.max(1, ...bars.flatMap(({ values }) => Object.values(values)));
  return Math.max(1, ...bars.map(({ values }) => series.reduce((total, { key }) => total + (values[key] ?? 0), 0)));
}

function sum(bars: readonly Bar[], key: string): number {
  return bars.reduce((total, { values }) => total + (values[key] ?? 0), 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
