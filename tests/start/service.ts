import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@/tests/fakes/free-port";
import { startEnvironment, startScript } from "@/tests/fakes/start-script";
import { until } from "@/tests/faults/until";

export interface Service {
  child: ChildProcess;
  /** Where it listens. */
  origin: string;
  stdout(): string;
  stderr(): string;
  /** Sends the signal and gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Refusal {
  code: number | null;
  stderr: string;
}

const children = new Set<ChildProcess>();

/**
 * Starts Almanac as `npm start` does, on a free port of the loopback, and waits until it is ready; from another checkout when a folder is given.
 * A variable that is undefined is absent, and not empty.
 */
export async function start(env: Record<string, string | undefined>, folder?: string): Promise<Service> {
  // Not 0: what the system chooses, other connections may be given before the service listens.
  const { child, output } = launch({ PORT: String(await freePort()), ...env }, folder);
  await Promise.race([output.ready, once(child, "exit")]);
  const origin = /Almanac is ready: (\S+)/.exec(output.out)?.[1];
  if (!origin) throw new Error(`it did not start:\n${output.out}\n${output.err}`);
  return {
    child,
    origin,
    stdout: () => output.out,
    stderr: () => output.err,
    async stop(signal = "SIGTERM") {
      const exited = once(child, "exit");
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** Starts Almanac with something that it must refuse. */
export async function refused(env: Record<string, string>): Promise<Refusal> {
  const { child, output } = launch(env);
  const [code] = await once(child, "close");
  return { code, stderr: output.err };
}

/** Starts Almanac and ends it once it holds its data folder, long before it is ready. */
export async function endedEarly(
  env: Record<string, string> & { DATA_DIR: string },
): Promise<Refusal & { stdout: string }> {
  const { child, output } = launch(env);
  const closed = once(child, "close");
  await until(() => existsSync(join(env.DATA_DIR, "almanac.lock")) || child.exitCode !== null, {
    within: 60_000,
    what: "the start",
  });
  child.kill("SIGTERM");
  const [code] = await closed;
  return { code, stderr: output.err, stdout: output.out };
}

export function killAll(): void {
  for (const child of children) child.kill("SIGKILL");
}

function launch(env: Record<string, string | undefined>, cwd?: string) {
  const child = spawn(process.execPath, startScript().parameters, {
    cwd,
    env: { ...startEnvironment("0"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  const output = { out: "", err: "", ready: Promise.resolve() };
  output.ready = new Promise((resolve) => {
    child.stdout.on("data", (chunk) => {
      output.out += chunk;
      if (/Almanac is ready[\s\S]*\n$/.test(output.out)) resolve();
    });
  });
  child.stderr.on("data", (chunk) => {
    output.err += chunk;
  });
  return { child, output };
}
