import { setTimeout as wait } from "node:timers/promises";
import { NonRetriableError } from "inngest";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { APP_ID } from "@/server/jobs/client";
import type { JobEvent, JobFunction } from "@/server/jobs/job-function";
import { Refusal } from "@/server/services/refusal";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import { stopFromInngest } from "@/server/services/staff/deliveries/replays/stop";
import { workReplays } from "@/server/services/staff/deliveries/replays/work";

const ID = "bulk-retry";
const WAIT_MS = 1_000;
/** A piece ends after this many waits: a process that was told to end has no more time for it. */
const WAITS = 14;
/** It ends sooner after this many waits in a row without progress. */
const IDLE_WAITS = 4;
/** Unresponsive receivers get one attempt at a time. While nothing moves, the run sleeps instead of holding a worker's call. */
const REST = "30s";
/** Ends the call of a process that is shutting down, so that another process does the next piece. */
const HANDOVER = "1s";
/** A run has at most a thousand steps, including sleeps. The sweep finds what is left then. */
const MOST_STEPS = 900;

/** Returns the event that begins the run of a bulk retry; sent several times, it begins one run. */
export function bulkRetryEvent(id: string): JobEvent {
  return { id: `${ID}-${id}`, name: `${APP_ID}/${ID}`, data: { id } };
}

/**
 * Performs a bulk retry as one run, with the progress as the result of each step (ADR 60). The rows are the truth: the
 * sweep does what the run does not.
 */
const bulkRetry: JobFunction = {
  id: ID,
  name: "Bulk retry",
  triggers: [{ event: bulkRetryEvent("").name }],
  retries: 5,
  async handler({ event, step }) {
    for (let piece = 1, steps = 1; steps <= MOST_STEPS; piece++, steps++) {
      const { rest, ...reached } = await step.run(`piece ${piece}`, () => goOn(String(event.data?.id)));
      if (reached.state !== "running") return reached;
      if (!rest) continue;
      await step.sleep(`rest ${piece}`, rest);
      steps++;
    }
  },
};

/** Stops a bulk retry whose run was cancelled at the Inngest server: otherwise the sweep would go on with it. */
const bulkRetryCancelled: JobFunction = {
  id: `${ID}-cancelled`,
  name: "Stop a bulk retry",
  triggers: [{ event: "inngest/function.cancelled" }],
  retries: 5,
  async handler({ event, step }) {
    const { function_id: cancelled, event: cause } = event.data as unknown as Cancelled;
    if (cancelled !== `${APP_ID}-${ID}`) return;
    await step.run("stop", () => stopFromInngest(db(), String(cause.data.id), clock().now()));
  },
};

export const bulkRetryFunctions = [bulkRetry, bulkRetryCancelled];

/** Inngest's event for a cancelled run. */
interface Cancelled {
  function_id: string;
  event: { data: { id?: unknown } };
}

/** Works on a bulk retry for a while. Rests when none of its deliveries has ended in the last four seconds. */
async function goOn(id: string) {
  for (let waits = 0, idle = 0, before = -1; ; waits++) {
    await workReplays(db());
    const { state, total, done, retried } = await readReplay(db().query, id).catch((error) => {
      throw error instanceof Refusal ? new NonRetriableError("there is no such bulk retry") : error;
    });
    idle = done + retried === before ? idle + 1 : 0;
    before = done + retried;
    const rest = context.isDraining ? HANDOVER : idle >= IDLE_WAITS ? REST : null;
    if (state !== "running" || rest || waits === WAITS) return { state, total, done, retried, rest };
    await wait(WAIT_MS);
  }
}
