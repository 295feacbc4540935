import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { doPiece } from "@/server/jobs/chore-pieces";
import { claimTick } from "@/server/jobs/chore-state";
import { chores } from "@/server/jobs/chores";
import { nextTick } from "@/server/jobs/engine/ticks";
import { type JobFunction, TICK } from "@/server/jobs/job-function";

/** Inngest allows 1,000 steps per run. The next run continues. */
const MOST_PIECES = 900;

/**
 * One function for each chore. It is done in pieces (ADR 53), and each piece is retried separately. When several processes
 * tick, one of them claims the chore. A manual invocation always runs.
 */
export const choreFunctions: readonly JobFunction[] = Object.entries(chores).map(([id, chore]) => ({
  id,
  name: chore.name,
  triggers: [{ cron: chore.cron }],
  retries: 5,
  async handler({ event, step }) {
    const lastTick = nextTick(chore.cron, clock().now() - chore.everyS * 1_000);
    const isOurs = event.name !== TICK || (await step.run("claim", () => claimTick(db(), id, new Date(lastTick ?? 0))));
    for (let piece = 1; isOurs && piece <= MOST_PIECES; piece++) {
      if (!(await step.run(`piece ${piece}`, () => doPiece(id, chore)))) return;
    }
  },
}));
