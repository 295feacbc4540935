import { onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { background } from "@/server/jobs/background";
import { APP_ID, SERVE_PATH } from "@/server/jobs/client";
import { openExecutor } from "@/server/jobs/executor/executor";
import { log } from "@/server/log";

export interface RunningJobs {
  /** Runs all that is due by the clock now. */
  settle(): Promise<void>;
}

/** The service's own functions on its own executor, until the running test is over. */
export async function runJobs(): Promise<RunningJobs> {
  const { handler, signingKey } = background();
  const url = `http://almanac.localhost${SERVE_PATH}`;
  const machineTime = () => Date.now();
  const given = { db: db(), handler, signingKey, appId: APP_ID, url, log: log({ module: "jobs" }), machineTime };
  const executor = openExecutor(given);
  globalThis.almanacReceive = (request) => executor.receive(request);
  await executor.settle();
  onTestFinished(async () => {
    await executor.stop();
    globalThis.almanacReceive = undefined;
  });
  return { settle: () => executor.settle() };
}
