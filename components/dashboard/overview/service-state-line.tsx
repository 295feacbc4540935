import { serviceState } from "@/components/dashboard/overview/service-state";
import { classes } from "@/components/ui/classes";
import { dotOf } from "@/components/ui/state";
import type { Overview } from "@/server/services/staff/overview/shapes";

/** Shows the service's state in a line under the page's title. */
export function ServiceState({ overview, now }: { overview: Overview; now: number }) {
  const { tone, line } = serviceState(overview, now);
  return (
    <p className="flex gap-2 px-6 pb-3 text-13 max-sm:px-4">
      <span aria-hidden className={classes("mt-1.5 size-2 shrink-0 rounded-full", dotOf[tone])} />
      <span className={classes(tone === "bad" && "text-red")}>{line}</span>
    </p>
  );
}
