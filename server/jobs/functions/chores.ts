import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { doPiece } from "@/server/jobs/chore-pieces";
import { claimTick } from "@/server/jobs/chore-state";
import { chores } from "@/server/jobs/chores";
import { nextTick } from "@/server/jobs/engine/ticks";
import { type JobFunction, TICK } from "@/server/jobs/job-function";

/** A run has at most a thousand steps. The next run does what is left then. */
const MOST_PIECES = 900;

/**
 * One function for each chore, which is done in pieces (ADR 53), each of which is retried by itself when it fails. Of
 * several processes whose crons tick, one does it. Whoever invokes it has it done at once.
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
