import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import type { Causes } from "@/tests/bench/webhook-causes";

/** A process that does tasks. */
export interface Worker {
  child: ChildProcess;
  ask<Answer>(causes?: Causes): Promise<Answer>;
}

/** The database, and the receivers that may be posted to. */
export interface Ground {
  url: string;
  receivers: { origins: readonly string[] };
}

/** A process of its own for one of the tasks of webhook-worker.ts. */
export function startWorker({ url, receivers }: Ground, task: string): Worker {
  const env = { DATABASE_URL: url, CALLBACK_ALLOWED_ORIGINS: receivers.origins.join(","), LOG_LEVEL: "warn" };
  const child = fork(resolve(import.meta.dirname, "webhook-worker.mjs"), [task], { env: { ...process.env, ...env } });
  return {
    child,
    ask: <Answer>(causes?: Causes) =>
      new Promise<Answer>((done, failed) => {
        const ended = (code: number | null) => failed(new Error(`the process of ${task} ended with ${code}`));
        child.once("exit", ended);
        child.once("message", (answer) => {
          child.off("exit", ended);
          done(answer as Answer);
        });
        child.send(causes ?? {});
      }),
  };
}
