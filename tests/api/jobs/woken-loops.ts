import { onTestFinished } from "vitest";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import type { Work } from "@/server/db/wake";
import { loopOf } from "@/server/jobs/work-kinds";

/** Until the running test is over, a wake-up is kept. Gives what wakes the loops of those that are due by the clock, and of what that wakes for in turn. */
export function wokenLoops(): () => Promise<void> {
  let kept: { work: Work; at: number }[] = [];
  context.wake = (work, afterMs) => kept.push({ work, at: clock().now() + afterMs });
  onTestFinished(() => {
    context.wake = undefined;
  });
  return async () => {
    for (;;) {
      const now = clock().now();
      const due = new Set(kept.filter(({ at }) => at <= now).map(({ work }) => work));
      if (due.size === 0) return;
      kept = kept.filter(({ at }) => at > now);
      await Promise.all([...due].map((work) => loopOf(work).drain()));
    }
  };
}
