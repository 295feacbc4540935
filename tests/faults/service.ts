import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { freePort } from "@/tests/fakes/free-port";
import { startEnvironment, startScript } from "@/tests/fakes/start-script";
import { until } from "@/tests/faults/until";

const BUILD_AND_START_MS = 300_000;
const collect = resolve("tests/faults/collect.cjs");
const children = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Almanac as `npm start` runs it, from this checkout or another; unlike tests/start/service.ts it is there before it is ready, so that it can be killed then. */
export interface Running {
  child: ChildProcess;
  /** What it wrote that is worth showing: its log and its complaints, not its greeting, which holds a password. */
  complaints(): string;
  /** Where it listens, once it does. */
  ready(): Promise<string>;
  isAlive(): boolean;
  /** Resident memory, in MB. */
  megabytes(): number;
  /** What stays resident when all garbage is collected, in MB; the service stands still for about 0.1 s. */
  heldMegabytes(): Promise<number>;
  end(signal?: NodeJS.Signals): Promise<void>;
}

export async function launch(env: Record<string, string>, folder = process.cwd()): Promise<Running> {
  // Not 0: what the system chooses, other connections may be given before the service listens.
  const port = env.PORT ?? String(await freePort());
  const child = spawn(process.execPath, ["--require", collect, ...startScript().parameters], {
    cwd: folder,
    env: { ...startEnvironment(port), ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  let text = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => {
    text += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const complaints = () =>
    errors +
    text
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .join("\n");
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    child,
    isAlive,
    complaints,
    ready: async () => {
      const isReady = () => /Almanac is ready[\s\S]*\n$/.test(text);
      await until(() => isReady() || !isAlive(), { within: BUILD_AND_START_MS, what: "the service's start" });
      const origin = /Almanac is ready: (\S+)/.exec(text)?.[1];
      if (!origin) throw new Error(`the service did not start: ${complaints().slice(-2_000)}`);
      return origin;
    },
    megabytes: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    heldMegabytes: async () => {
      child.send("collect");
      const [{ resident }] = await once(child, "message");
      return resident / 1024 / 1024;
    },
    end: async (signal = "SIGTERM") => {
      if (!isAlive()) return;
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    },
  };
}
