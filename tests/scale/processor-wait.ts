import { readFileSync } from "node:fs";

const EVERY_MS = 10;
const KEPT = 1_000;
const DEATH_WITHIN_MS = 1_000;
const MS_PER_NS = 1e-6;

/** For how long the main thread of a process was ready to run and had no processor. */
export interface ProcessorWait {
  /** Since it began, in milliseconds. */
  waitedMs(): number;
  /** Kills the process, and gives its wait between a moment (by the machine's clock) and its death, in milliseconds; with the time of its death. */
  kill(): { diedAt: number; waitedSince: (moment: number) => number };
}

/** Watches how long Linux keeps a process waiting for a processor (the second figure of /proc/…/schedstat). Elsewhere it never waits. */
export function watchProcessorWait(pid: number): ProcessorWait {
  const samples: Sample[] = [];
  const look = () => {
    const waitedMs = waitOf(pid);
    const at = Date.now();
    samples.push({ at, waitedMs });
    if (samples.length > KEPT) samples.shift();
    return { at, waitedMs };
  };
  look();
  const timer = setInterval(look, EVERY_MS).unref();
  return {
    waitedMs: () => waitOf(pid),
    kill() {
      clearInterval(timer);
      process.kill(pid, "SIGKILL");
      // Until it has run for the last time, what it waits for at the moment is not in the figure. It stays readable while nobody asks for its exit code.
      const last = Date.now() + DEATH_WITHIN_MS;
      while (!isDead(pid) && Date.now() < last) Atomics.wait(pause, 0, 0, 1);
      const { at: diedAt, waitedMs } = look();
      return { diedAt, waitedSince: (moment) => waitedMs - waitedAt(samples, moment) };
    },
  };
}

interface Sample {
  at: number;
  waitedMs: number;
}

/** Between two looks it is taken to have waited evenly: on full cores they are further apart than they should be. */
export function waitedAt(samples: readonly Sample[], moment: number): number {
  const i = samples.findIndex(({ at }) => at >= moment);
  const [before, after] = [samples[i - 1], samples.at(i)];
  if (!before || !after) return after?.waitedMs ?? 0;
  const part = (moment - before.at) / (after.at - before.at);
  return before.waitedMs + part * (after.waitedMs - before.waitedMs);
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function waitOf(pid: number): number {
  const [, ns = "0"] = (read(`/proc/${pid}/task/${pid}/schedstat`) ?? "").split(" ");
  return Number(ns) * MS_PER_NS;
}

/** Its state follows its name, which stands in brackets. */
function isDead(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
