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
      const ends = new AbortController();
      const answered = once(child, "message", ends);
      const ended = once(child, "exit", ends).then(() => {
        throw new Error(`${program} ended while it was asked: ${task}`);
      });
      try {
        child.send({ task, given } satisfies Asked);
        const [answer] = (await Promise.race([answered, ended])) as [Answer];
        return answer;
      } finally {
        ends.abort();
        await Promise.allSettled([answered, ended]);
      }
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.off("exit", end);
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

/** Does tasks for the process that started this one, until that one ends or lets go. Then what it has started is ended. */
export function serveTasks(tasks: Record<string, (given: never) => unknown>, end = async () => {}): void {
  process.on("message", async ({ task, given }: Asked) => {
    process.send?.((await tasks[task]?.(given as never)) ?? null);
  });
  process.on("disconnect", () => void end().finally(() => process.exit()));
  process.send?.("ready");
}
