import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { launch } from "@/tests/rig/service";
import { until } from "@/tests/rig/until";

export { killAll } from "@/tests/rig/service";

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

/**
 * Starts Almanac as `npm start` does, on a free port of the loopback, and waits until it is ready; from another checkout when a folder is given.
 * A variable that is undefined is absent, and not empty.
 */
export async function start(env: Record<string, string | undefined>, folder?: string): Promise<Service> {
  const { child, ready, stdout, stderr, end } = await launch(env, { folder });
  return { child, origin: await ready(), stdout, stderr, stop: end };
}

/** Starts Almanac with something that it must refuse. */
export async function refused(env: Record<string, string>): Promise<Refusal> {
  const { child, stderr } = await launch(env);
  const [code] = await once(child, "close");
  return { code, stderr: stderr() };
}

/** Starts Almanac and ends it once it holds its data folder, long before it is ready. */
export async function endedEarly(
  env: Record<string, string> & { DATA_DIR: string },
): Promise<Refusal & { stdout: string }> {
  const { child, isAlive, stdout, stderr } = await launch(env);
  const closed = once(child, "close");
  await until(() => existsSync(join(env.DATA_DIR, "almanac.lock")) || !isAlive(), {
    within: 60_000,
    what: "the start",
  });
  child.kill("SIGTERM");
  const [code] = await closed;
  return { code, stderr: stderr(), stdout: stdout() };
}
