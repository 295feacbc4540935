import { Cron } from "croner";
import { newRunId } from "@/server/jobs/executor/arrivals";
import type { Plan } from "@/server/jobs/executor/plan";
import type { Store } from "@/server/jobs/executor/store";

/** The first tick after an instant (default: 1970); null when there is none or the expression is not five fields. */
export function firstTick(expression: string, after: Date = new Date(0)): Date | null {
  try {
    return new Cron(expression, { timezone: "UTC", mode: "5-part", paused: true }).nextRun(after);
  } catch {
    return null;
  }
}

export interface Ticker {
  /** Reads when each cron ticks next, after the first start from now on. */
  prepare(): Promise<void>;
  /** Makes a run for each tick that is over. One that was missed several times is made up for once. */
  tick(now: Date): Promise<number>;
  /** When the next tick is due. */
  nextAt(): Date | null;
}

/** The cron triggers. The row says when the next tick is due, so that of two processes, and before and after a restart, one makes the run. */
export function ticker(store: Store, plans: readonly Plan[]): Ticker {
  const all = plans.flatMap((plan) => plan.crons.map((cron) => ({ functionId: plan.id, cron })));
  let known: { functionId: string; cron: string; nextAt: Date }[] = [];
  const prepare = async () => {
    if (all.length === 0) return;
    const now = await store.now();
    known = await store.keepCrons(all.map((one) => ({ ...one, nextAt: nextTick(one.cron, now) })));
  };
  return {
    prepare,
    async tick(now) {
      const due = known.filter(({ nextAt }) => nextAt <= now);
      for (const { functionId, cron, nextAt } of due) {
        const event = { name: "inngest/scheduled.timer", data: { cron }, id: newRunId(), ts: nextAt.getTime() };
        const run = { runId: newRunId(), event: JSON.stringify(event) };
        await store.tick({ functionId, cron, nextAt: nextTick(cron, now), ...run });
      }
      if (due.length > 0) await prepare();
      return due.length;
    },
    nextAt: () => known.reduce<Date | null>((next, { nextAt }) => (next && next <= nextAt ? next : nextAt), null),
  };
}

function nextTick(cron: string, after: Date): Date {
  const next = firstTick(cron, after);
  if (!next) throw new Error(`the cron ${cron} does not come to pass again`);
  return next;
}
