import { Redis } from "ioredis";
import { env } from "@/server/env";
import { latencyOf } from "@/server/front-door/doctor/latency";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { codeOf } from "@/server/front-door/start-error";

const WITHIN_MS = 3_000;
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
    const ms = await latencyOf(() => client.ping());
    const text = `Responds at ${place} in ${ms.toFixed(1)} ms`;
    return [ms < SLOW_MS ? ok("redis", text) : warn("redis", `${text}: each request waits as long. Move it closer.`)];
  } catch (error) {
    const advice = "Start it, or correct REDIS_URL. Until then each process counts rate limits on its own.";
    return [fail("redis", `Can't use Redis at ${place} (${codeOf(cause ?? error)}). ${advice}`)];
  } finally {
    client.disconnect();
  }
}
