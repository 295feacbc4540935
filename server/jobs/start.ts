import { db } from "@/server/db/client";
import { env } from "@/server/env";
import { type Background, background } from "@/server/jobs/background";
import { APP_ID, SERVE_PATH } from "@/server/jobs/client";
import { type DirectWakes, directWakes } from "@/server/jobs/direct-wakes";
import { openExecutor } from "@/server/jobs/executor/executor";
import { register } from "@/server/jobs/register";
import { sweep } from "@/server/jobs/sweep";
import { startSweepTimer } from "@/server/jobs/sweep-timer";
import { wakeEvents } from "@/server/jobs/wake-events";
import { workKinds, works } from "@/server/jobs/work-kinds";
import { log, outageLog } from "@/server/log";

/**
 * Begins this process's background work: its own executor, or an Inngest server that gets the address of the functions. Embedded, wake-ups
 * call the work's loop; with an Inngest server they are events. Gives what ends it: nothing new is begun, and what is under way is waited for.
 */
export async function startJobs(): Promise<() => Promise<void>> {
  const work = background();
  const end = work.kind === "embedded" ? await startExecutor(work) : register(work);
  const wakes = work.kind === "embedded" ? directWakes((kind) => void workKinds[kind].loop().nudge(0)) : sent(work);
  globalThis.almanacWake = wakes.wake;
  const endPatrol = startSweepTimer(outage("the sweep for due work fails", "the sweep for due work succeeds again"));
  await sweep().catch(() => undefined); // what an earlier process left; the sweep timer says when it fails
  return async () => {
    globalThis.almanacWake = undefined;
    wakes.stop();
    await Promise.all([endPatrol(), ...works.map((kind) => workKinds[kind].loop().stop()), end()]);
  };
}

/** Wake-ups as events: any process of the service that Inngest calls takes up the work. */
function sent({ client }: Background): DirectWakes {
  const events = outage("wake-ups cannot be sent: what is due is found by sweeping", "wake-ups are sent again");
  const wake = wakeEvents(async (event) => {
    await client.send(event).then(() => events.recovered(), events.failed);
  });
  return { wake, stop() {} };
}

async function startExecutor({ handler, signingKey }: Background): Promise<() => Promise<void>> {
  const url = env().BASE_URL + SERVE_PATH;
  const executor = openExecutor({ db: db(), handler, signingKey, appId: APP_ID, url, log: log({ module: "jobs" }) });
  globalThis.almanacReceive = (request) => executor.receive(request);
  await executor.start();
  return async () => {
    await executor.stop();
    globalThis.almanacReceive = undefined;
  };
}

function outage(down: string, up: string) {
  const logger = log({ module: "jobs" });
  return outageLog((level, message, facts) => logger[level](facts ?? {}, message), { down, up });
}
