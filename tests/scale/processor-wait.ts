import { readFileSync } from "node:fs";

const EVERY_MS = 10;
const KEPT = 1_000;
const DEATH_WITHIN_MS = 1_000;
const MS_PER_NS = 1e-6;

/** What the main thread of a process has done, in milliseconds since it began. The rest of its time it had nothing to do. */
export interface Spent {
  ranMs: number;
  /** Ready to run, without a processor. */
  waitedMs: number;
}

export interface ProcessorWait {
  /** Until now. */
  spent(): Spent;
  /** Kills the process, and gives what it did between a moment (by the machine's clock) and its death; with the time of its death. */
  kill(): { diedAt: number; spentSince: (moment: number) => Spent };
}

/** Watches how long a process runs, and how long Linux keeps it waiting for a processor (/proc/…/schedstat). Elsewhere it does neither. */
export function watchProcessorWait(pid: number): ProcessorWait {
  const samples: Sample[] = [];
  const look = () => {
    const now = { ...spentOf(pid), at: Date.now() };
    samples.push(now);
    if (samples.length > KEPT) samples.shift();
    return now;
  };
  look();
  const timer = setInterval(look, EVERY_MS).unref();
  return {
    spent: () => spentOf(pid),
    kill() {
      clearInterval(timer);
      process.kill(pid, "SIGKILL");
      // Until it has run for the last time, what it waits for at the moment is not in the figure. It stays readable while nobody asks for its exit code.
      const last = Date.now() + DEATH_WITHIN_MS;
      while (!isDead(pid) && Date.now() < last) Atomics.wait(pause, 0, 0, 1);
      const { at: diedAt, ranMs, waitedMs } = look();
      return {
        diedAt,
        spentSince: (moment) => {
          const then = spentAt(samples, moment);
          return { ranMs: ranMs - then.ranMs, waitedMs: waitedMs - then.waitedMs };
        },
      };
    },
  };
}

interface Sample extends Spent {
  at: number;
}

/** Between two looks it is taken to have run and waited evenly: on full cores they are further apart than they should be. */
export function spentAt(samples: readonly Sample[], moment: number): Spent {
  const i = samples.findIndex(({ at }) => at >= moment);
  const [before, after] = [samples[i - 1], samples.at(i)];
  if (!before || !after) return after ?? { ranMs: 0, waitedMs: 0 };
  const part = (moment - before.at) / (after.at - before.at);
  const between = (from: number, to: number) => from + part * (to - from);
  return { ranMs: between(before.ranMs, after.ranMs), waitedMs: between(before.waitedMs, after.waitedMs) };
}

const pause = new Int32Array(new SharedArrayBuffer(4));

function spentOf(pid: number): Spent {
  const [ran = "0", waited = "0"] = (read(`/proc/${pid}/task/${pid}/schedstat`) ?? "").split(" ");
  return { ranMs: Number(ran) * MS_PER_NS, waitedMs: Number(waited) * MS_PER_NS };
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
