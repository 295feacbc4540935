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
/** Ends a piece after about 14 seconds, so that a process can finish it while shutting down. */
const WAITS = 14;
/** It ends sooner after this many waits in a row without progress. */
const IDLE_WAITS = 4;
/** Unresponsive receivers are tried one attempt at a time. While nothing progresses, the run sleeps to free its worker. */
const REST = "30s";
/** Pauses before the next piece, so that another process picks it up during a shutdown. */
const HANDOVER = "1s";
/** Inngest allows 1,000 steps per run, sleeps included. `continue-bulk-retries` finishes the rest. */
const MOST_STEPS = 900;

/** Returns the event that starts a bulk retry. Duplicates start only one run. */
export function bulkRetryEvent(id: string): JobEvent {
  return { id: `${ID}-${id}`, name: `${APP_ID}/${ID}`, data: { id } };
}

/**
 * Runs a bulk retry. Each step returns the progress so far (ADR 60). The database is the source of truth:
 * `continue-bulk-retries` finishes what the run leaves.
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

/**
 * Stops a bulk retry when its run is cancelled in Inngest: otherwise `continue-bulk-retries` would resume it. Runs for every
 * cancelled function and ignores the others.
 */
const bulkRetryCancelled: JobFunction = {
  id: `${ID}-cancelled`,
  name: "Stop a cancelled bulk retry",
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

/** Works on bulk retries for about 14 seconds and returns the progress of this one. Asks for a rest after four idle seconds. */
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
