import { classes } from "@/components/ui/classes";
import { FirstLoad } from "@/components/ui/first-load";

const widths = ["w-24", "w-40", "w-16", "w-28", "w-20"];

/** Shows a bar in place of a text. */
export function Bone({ className }: { className?: string }) {
  return <span aria-hidden className={classes("skeleton inline-block h-3 align-middle", className)} />;
}

/** Shows placeholder rows of a table on a first load. */
export function SkeletonRows({ rows = 12 }: { rows?: number }) {
  return (
    <FirstLoad>
      <div role="status" className="border-t">
        <span className="sr-only">Loading</span>
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: these rows have nothing else, and never move.
          <div key={row} className="flex h-8 max-sm:h-12 items-center gap-8 overflow-hidden border-b px-6 max-sm:px-4">
            {widths.map((width) => (
              <Bone key={width} className={width} />
            ))}
          </div>
        ))}
      </div>
    </FirstLoad>
  );
}

/** Shows placeholder lines of a panel's text on a first load. */
export function SkeletonLines({ lines = 8 }: { lines?: number }) {
  return (
    <FirstLoad>
      <div role="status" className="grid gap-4 p-6 max-sm:p-4">
        <span className="sr-only">Loading</span>
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: these lines have nothing else, and never move.
          <Bone key={line} className={widths[line % widths.length] ?? ""} />
        ))}
      </div>
    </FirstLoad>
  );
}
