import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

/** A fake in a process of its own, so that what it takes is not taken from those that are measured. */
export interface SideProcess {
  child: ChildProcess;
  /** Has a task done, and gives what came of it. One at a time. */
  ask<Answer>(task: string, given?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

interface Asked {
  task: string;
  given: unknown;
}

/** Starts one of the programs of this folder, which run.mjs has bundled. */
export async function startSideProcess(program: string, env: Record<string, string>): Promise<SideProcess> {
  const child = fork(resolve(import.meta.dirname, `${program}.mjs`), { env: { ...process.env, ...env } });
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  await once(child, "message");
  return {
    child,
    async ask<Answer>(task: string, given?: unknown) {
      const answered = once(child, "message");
      child.send({ task, given } satisfies Asked);
      const [answer] = await answered;
      return answer as Answer;
    },
    async close() {
      process.off("exit", end);
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

/** Does tasks for the process that started this one, until that one ends or lets go. */
export function serveTasks(tasks: Record<string, (given: never) => unknown>): void {
  process.on("message", async ({ task, given }: Asked) => {
    process.send?.((await tasks[task]?.(given as never)) ?? null);
  });
  process.on("disconnect", () => process.exit());
  process.send?.("ready");
}
