import { NonRetriableError } from "inngest";
import { context } from "@/server/context";
import { type Work, wake } from "@/server/db/wake";
import { hasInngestServer } from "@/server/jobs/client";
import type { JobContext, JobEvent } from "@/server/jobs/job-function";
import { loopOf, workKinds } from "@/server/jobs/work-kinds";
import { addTo, type Passed, type Tally } from "@/server/work-loop";

/** How long a step claims work, in milliseconds. Any process may do the next one. */
export const PASS_MS = 15_000;
/** A run of an Inngest server costs as much as thirty deliveries, so one that had work waits for more. */
const LINGER_MS = 3_000;
/** Limits a run to 45 seconds, so that one whose worker hangs is soon given up. Another worker may do the next. */
const MOST_STEPS = 3;

/** What came of a run, or of its last step. */
export interface Ran {
  tally: Tally;
  /** When more is due, in seconds. Null: nothing is. Omitted: there was more to do, or nobody reads it. */
  nextInSeconds?: number | null;
}

/**
 * Does the due work of an event's key in steps that claim for up to 15 s, and returns the counts of outcomes. An event
 * without a key is for all work of its kind. Throws NonRetriableError when the key is no id.
 */
export async function inPasses({ event, step }: JobContext, work: Work): Promise<Ran> {
  const { key: field } = workKinds[work];
  const key = field === null ? null : keyOf(event.data?.[field]);
  const all: Tally = {};
  for (let n = 1; n <= mostSteps(event); n++) {
    const { tally, isLeft, ...next } = await step.run(`pass ${n}`, () => passOf(work, key));
    for (const [subject, counts] of Object.entries(tally)) addTo(all, subject, counts);
    if (!isLeft) return { tally: all, ...next };
    if (context.isDraining) break;
  }
  wake(work); // for the next run
  return { tally: all };
}

/** Returns how many steps a run may have. While the Inngest server is away each pass is a run of its own: the server may be back. */
function mostSteps({ data }: JobEvent): number {
  return data?.isAway === true ? 1 : MOST_STEPS;
}

/** Makes a pass. With an Inngest server, lingers for more work and reports when more is due. */
async function passOf(work: Work, key: string | null): Promise<Passed & Ran> {
  if (!hasInngestServer()) return await loopOf(work).pass(key, { withinMs: PASS_MS });
  const passed = await loopOf(work).pass(key, { withinMs: PASS_MS, lingerMs: LINGER_MS });
  if (passed.isLeft) return passed;
  const ms = await workKinds[work].nextIn(key);
  return { ...passed, nextInSeconds: ms === null ? null : Math.ceil(ms / 1_000) };
}

/** Reads the key of an event: an id. Null: there is none. Throws NonRetriableError on anything else. */
export function keyOf(given: unknown): string | null {
  if (given === undefined) return null;
  if (typeof given === "string" && /^\w{1,80}$/.test(given)) return given;
  throw new NonRetriableError("the event's key is no id");
}
