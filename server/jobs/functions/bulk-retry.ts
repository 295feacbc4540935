import { setTimeout as wait } from "node:timers/promises";
import { type Inngest, NonRetriableError } from "inngest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { isDraining } from "@/server/draining";
import { APP_ID } from "@/server/jobs/client";
import { Refusal } from "@/server/services/refusal";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import { stopFromInngest } from "@/server/services/staff/deliveries/replays/stop";
import { workReplays } from "@/server/services/staff/deliveries/replays/work";

const ID = "bulk-retry";
const WAIT_MS = 1_000;
/** A piece ends after so long: a process that is told to end has no more than that of it. */
const WAITS = 14;
/** It ends sooner when so many waits in a row have brought nothing on. */
const IDLE_WAITS = 4;
/** Receivers that do not respond get one attempt at a time. While nothing moves, the run sleeps instead of holding a worker's call. */
const REST = "30s";
/** Ends the call of a process that is ending, so that another one does the next piece. */
const HANDOVER = "1s";
/** A run has a thousand steps at most, sleeps among them. What is left then is found by the sweep. */
const MOST_STEPS = 900;

/** The event that begins the run of a bulk retry; once, however often it is sent. */
export function bulkRetryEvent(id: string) {
  return { id: `${ID}-${id}`, name: `${APP_ID}/${ID}`, data: { id } };
}

/**
 * A bulk retry as one run, with how far it has come as the result of each step (ADR 60). The rows are the truth: what the run does not do the
 * sweep does, so whoever cancels it stops the bulk retry itself.
 */
export function bulkRetries(client: Inngest) {
  const { name } = bulkRetryEvent("");
  const works = client.createFunction(
    { id: ID, name: "Bulk retry", triggers: [{ event: name }], retries: 5 },
    async ({ event, step }) => {
      for (let piece = 1, steps = 1; steps <= MOST_STEPS; piece++, steps++) {
        const { rest, ...reached } = await step.run(`piece ${piece}`, () => goOn(String(event.data.id)));
        if (reached.state !== "running") return reached;
        if (!rest) continue;
        await step.sleep(`rest ${piece}`, rest);
        steps++;
      }
    },
  );
  const stops = client.createFunction(
    {
      id: `${ID}-cancelled`,
      name: "Stop a bulk retry",
      triggers: [{ event: "inngest/function.cancelled" }],
      retries: 5,
    },
    async ({ event, step }) => {
      const { function_id: cancelled, event: cause } = event.data as Cancelled;
      if (cancelled !== `${APP_ID}-${ID}`) return;
      await step.run("stop", () => stopFromInngest(db(), String(cause.data.id), clock().now()));
    },
  );
  return [works, stops];
}

/** What Inngest says of a run that somebody cancelled. */
interface Cancelled {
  function_id: string;
  event: { data: { id?: unknown } };
}

/** Works on a bulk retry for a while. It rests when none of its deliveries has ended in the last four seconds. */
async function goOn(id: string) {
  for (let waits = 0, idle = 0, before = -1; ; waits++) {
    await workReplays(db());
    const { state, total, done, retried } = await readReplay(db().query, id).catch((error) => {
      throw error instanceof Refusal ? new NonRetriableError("there is no such bulk retry") : error;
    });
    idle = done + retried === before ? idle + 1 : 0;
    before = done + retried;
    const rest = isDraining() ? HANDOVER : idle >= IDLE_WAITS ? REST : null;
    if (state !== "running" || rest || waits === WAITS) return { state, total, done, retried, rest };
    await wait(WAIT_MS);
  }
}
