import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";
import type { TaskInput, TaskResult } from "@/tests/bench/sync-worker";

export interface SyncProcess {
  child: ChildProcess;
  ask(input: TaskInput): Promise<TaskResult>;
}

/** A process of its own for one of the tasks of sync-worker.ts. */
export function startSyncProcess(task: string, env: Record<string, string>): SyncProcess {
  const child = fork(resolve(import.meta.dirname, "sync-worker.mjs"), [task], {
    env: { ...process.env, LOG_LEVEL: "warn", ...env },
  });
  return {
    child,
    ask: (input) =>
      new Promise((done, failed) => {
        const ended = (code: number | null) => failed(new Error(`the process of ${task} ended with ${code}`));
        child.once("exit", ended);
        child.once("message", (took) => {
          child.off("exit", ended);
          done(took as TaskResult);
        });
        child.send(input);
      }),
  };
}
