import { onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { functions } from "@/server/jobs/background";
import { openChores } from "@/server/jobs/chore-state";
import { openEngine } from "@/server/jobs/engine/engine";
import type { JobEvent } from "@/server/jobs/job-function";
import { lateChoresDone } from "@/server/jobs/late-chores";
import { log } from "@/server/log";

export interface RunningJobs {
  /** Begins what an event triggers, as an operator can at an Inngest server. */
  send(event: JobEvent): void;
  /** Runs all that is due by the clock now. */
  settle(): Promise<void>;
}

/** The service's own functions on the engine, until the running test is over. Its crons tick from the clock's time on. */
export async function runJobs(): Promise<RunningJobs> {
  await openChores(db());
  const engine = openEngine(functions, log({ module: "jobs" }));
  onTestFinished(() => engine.stop());
  const settle = async () => {
    await engine.settle();
    await lateChoresDone(); // the sweep of a run may have begun some
  };
  return { send: engine.send, settle };
}
