import { classes } from "@/components/ui/classes";

/** Shows a response's status: a dot and its number. */
export function State({ status }: { status: number }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 font-mono text-12 text-ink">
      <svg viewBox="0 0 8 8" className={classes("size-2", status < 400 ? "fill-green" : "fill-red")} aria-hidden>
        <circle cx="4" cy="4" r="3.5" />
      </svg>
      {status}
    </span>
  );
}
