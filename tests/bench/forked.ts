import { type ChildProcess, fork } from "node:child_process";
import { resolve } from "node:path";

/** A process that does a task each time it is asked. */
export interface Forked {
  child: ChildProcess;
  ask<Answer>(asked?: object): Promise<Answer>;
}

/** A process of its own that runs a bundled file of this folder. */
export function forked(file: string, parameters: readonly string[], env: Record<string, string>): Forked {
  const child = fork(resolve(import.meta.dirname, file), parameters, {
    env: { ...process.env, LOG_LEVEL: "warn", ...env },
  });
  return {
    child,
    ask: <Answer>(asked: object = {}) =>
      new Promise<Answer>((done, failed) => {
        const ended = (code: number | null) => failed(new Error(`the process of ${file} ended with ${code}`));
        child.once("exit", ended);
        child.once("message", (answer) => {
          child.off("exit", ended);
          done(answer as Answer);
        });
        child.send(asked);
      }),
  };
}
