import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

/** A process beside this one, so that what it takes is not taken from what is measured, or can be measured itself. */
export interface SideProcess {
  child: ChildProcess;
  /** Has a task done, and gives what came of it. One at a time. */
  ask<Answer>(task: string, given?: unknown): Promise<Answer>;
  /** Lets it go, upon which it ends. */
  close(): Promise<void>;
}

/** What a process is sent for a task. It sends back what came of it. */
export interface Asked<Given = unknown> {
  task: string;
  given: Given;
}

/** Starts one of the programs that run.mjs has bundled. */
export function startSideProcess(program: string, env: Record<string, string>): SideProcess {
  const child = fork(resolve(import.meta.dirname, `${program}.mjs`), { env: { ...process.env, ...env } });
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
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
      process.off("exit", end);
      if (child.exitCode !== null || child.signalCode !== null) return;
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
}
