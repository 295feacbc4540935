import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const DEADLINE_MS = 20_000;

/**
 * A program that reads one file for each line it is given. One that crashes or takes too long is started again for the next file.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
export function startReader(name, command, args) {
  let running = null;
  const start = () => {
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
    const lines = createInterface({ input: child.stdout });
    const reader = { child, take: null };
    const settle = (answer) => {
      const take = reader.take;
      reader.take = null;
      take?.(answer);
    };
    lines.on("line", (line) => settle(answerOf(line)));
    child.on("exit", () => {
      if (running === reader) running = null;
      settle({ error: "crashed" });
    });
    child.stdin.on("error", () => undefined);
    return reader;
  };
  return {
    name,
    /** @param {string} request */
    read(request) {
      running ??= start();
      const reader = running;
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          running = null;
          reader.take = null;
          reader.child.kill("SIGKILL");
          resolve({ error: "took too long" });
        }, DEADLINE_MS);
        reader.take = (answer) => {
          clearTimeout(timer);
          resolve(answer);
        };
        reader.child.stdin.write(`${request}\n`);
      });
    },
    end() {
      running?.child.kill("SIGKILL");
    },
  };
}

function answerOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { error: "no JSON" };
  }
}
