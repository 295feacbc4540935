import { readFileSync } from "node:fs";

/** Milliseconds that this thread has been at work; where the system does not say, those of the process. Other work on the machine does not count. */
export function threadTime(): number {
  try {
    const [nanoseconds] = readFileSync("/proc/thread-self/schedstat", "latin1").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** The longest that a round of the event loop was at work while something was done. */
export async function longestRound(work: () => Promise<unknown>): Promise<number> {
  let [longest, last, isOver] = [0, threadTime(), false];
  const look = () => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    isOver = true;
  }
  return longest;
}

/** The least of some measurements, or the first that is enough: what came between (a collection of garbage, a first compilation) is not what is measured. */
export async function least(times: number, enough: number, measure: () => Promise<number>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times && found >= enough; i += 1) found = Math.min(found, await measure());
  return found;
}
