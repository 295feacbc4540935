import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { Drawing } from "@/components/ui/drawing";

const WIDTH = 96;
const HEIGHT = 20;

/** Shows a series of figures as a small line, for tables. `label` describes them to screen readers. */
export function Spark({ values, label }: { values: readonly number[]; label: string }) {
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [1, WIDTH - 1]);
  const y = scaleLinear([0, Math.max(1, ...values)], [HEIGHT - 2, 2]);
  const path = line<number>()
    .x((_, index) => x(index))
    .y((value) => y(value))
    .digits(1)([...values]);
  return (
    <Drawing
      width={WIDTH}
      height={HEIGHT}
      path={path ?? ""}
      className="inline-block h-5 w-24 align-middle"
      label={label}
    />
  );
}

interface ShareBarProps {
  share: number;
  look?: string;
  className?: string;
}

/** Shows a share of the largest value, from 0 to 1, as a thin bar. */
export function ShareBar({ share, look = "fill-red", className = "h-1 w-full" }: ShareBarProps) {
  const mark = { x: 0, y: 0, width: Math.max(2, share * 100), height: 4, look };
  return <Drawing width={100} height={4} marks={[mark]} className={className} />;
}
