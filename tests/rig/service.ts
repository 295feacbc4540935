import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "@/tests/fakes/free-port";
import { startEnvironment, startScript } from "@/tests/fakes/start-script";
import { until } from "@/tests/rig/until";

const BUILD_AND_START_MS = 300_000;
const IS_READY = /Almanac is ready: (\S+)[\s\S]*\n$/;
const children = new Set<ChildProcess>();
process.once("exit", killAll);

/** A process that listens. It is there before it is ready, so that it can be killed then. */
export interface Service {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** What it wrote that is worth showing: its log and its complaints, not its greeting, which holds a password. */
  complaints(): string;
  /** Where it listens, once it does. */
  ready(): Promise<string>;
  /** Milliseconds from its start until it said that it is ready. */
  readyMs(): number;
  isAlive(): boolean;
  /** Ends it, waits until it has ended, and gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Ends every process that was started here, at once. */
export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
}

export interface Start {
  /** Of another checkout that is started instead of this one. */
  folder?: string;
  /** A module that it loads first, and that speaks to whoever started it. */
  preload?: string;
}

/** Starts Almanac as `npm start` does. A role, a database and what else it is given stand in its environment. */
export async function launch(env: NodeJS.Dict<string>, { folder, preload }: Start = {}): Promise<Service> {
  // Not 0: what the system chooses, other connections may be given before the service listens.
  const port = env.PORT ?? String(await freePort());
  return started([...(preload ? ["--require", preload] : []), ...startScript().parameters], {
    ...{ env: { ...startEnvironment(port), ...env }, cwd: folder, isReady: IS_READY },
    channel: preload !== undefined,
  });
}

interface Program {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Fits what it has written once it is ready; its first group is where it listens. */
  isReady: RegExp;
  channel?: boolean;
}

/** Starts a program of Node that says where it listens. */
export function started(parameters: readonly string[], { env, cwd, isReady, channel }: Program): Service {
  const began = performance.now();
  const child = spawn(process.execPath, parameters, {
    ...{ cwd, env },
    stdio: ["ignore", "pipe", "pipe", ...(channel ? (["ipc"] as const) : [])],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  let [text, errors] = ["", ""];
  let ready: { origin: string; ms: number } | undefined;
  child.stdout?.on("data", (chunk) => {
    text += chunk;
    const origin = ready ? undefined : isReady.exec(text)?.[1];
    if (origin) ready = { origin, ms: performance.now() - began };
  });
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const log = () => text.split("\n").filter((line) => line.startsWith("{"));
  const complaints = () => errors + log().join("\n");
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    ...{ child, isAlive, complaints, stdout: () => text, stderr: () => errors },
    ready: async () => {
      const isOver = () => ready !== undefined || !isAlive();
      await until(isOver, { within: BUILD_AND_START_MS, what: "the service's start" });
      if (!ready) throw new Error(`the service did not start: ${complaints().slice(-2_000)}`);
      return ready.origin;
    },
    readyMs: () => ready?.ms ?? Number.NaN,
    end: async (signal = "SIGTERM") => {
      if (!isAlive()) return child.exitCode;
      const exited = once(child, "exit");
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}
