import { clock } from "@/server/clock";

const PINGS = 5;

/** Measures the median of several round trips, in milliseconds. The first one may open the connection, and doesn't count. */
export async function latencyOf(ping: () => Promise<unknown>): Promise<number> {
  await ping();
  const times: number[] = [];
  for (let n = 0; n < PINGS; n++) {
    const before = clock().monotonic();
    await ping();
    times.push(clock().monotonic() - before);
  }
  return times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
}
