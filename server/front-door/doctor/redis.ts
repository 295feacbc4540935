import { Redis } from "ioredis";
import { clock } from "@/server/clock";
import { env } from "@/server/env";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { codeOf } from "@/server/front-door/start-error";

const WITHIN_MS = 3_000;
const PINGS = 5;
/** Each request asks once. */
const SLOW_MS = 10;

/** Checks that Redis responds, and how fast. */
export async function redis(): Promise<Finding[]> {
  const { REDIS_URL } = env();
  if (REDIS_URL === undefined)
    return [ok("redis", "Not set up: REDIS_URL is not set, so each process counts rate limits on its own.")];
  const place = new URL(REDIS_URL).host;
  const client = new Redis(REDIS_URL, {
    ...{ lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 0, retryStrategy: () => null },
    ...{ connectTimeout: WITHIN_MS, commandTimeout: WITHIN_MS },
  });
  let cause: unknown;
  client.on("error", (error) => {
    cause ??= error;
  });
  try {
    await client.connect();
    const ms = await latency(client);
    const text = `Responds at ${place} in ${ms.toFixed(1)} ms`;
    return [ms < SLOW_MS ? ok("redis", text) : warn("redis", `${text}: each request waits as long. Move it closer.`)];
  } catch (error) {
    const advice = "Start it, or correct REDIS_URL. Until then each process counts rate limits on its own.";
    return [fail("redis", `Can't use Redis at ${place} (${codeOf(cause ?? error)}). ${advice}`)];
  } finally {
    client.disconnect();
  }
}

/** Measures the median of several round trips. */
async function latency(client: Redis): Promise<number> {
  const times: number[] = [];
  for (let ping = 0; ping < PINGS; ping++) {
    const before = clock().monotonic();
    await client.ping();
    times.push(clock().monotonic() - before);
  }
  return times.sort((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
}
