import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { APPLICATION, debtAfterCharge, decide, type Take } from "@/server/http/rate-limit/buckets";
import type { MemoryStore } from "@/server/http/rate-limit/memory";
import type { Draw, Mode, Store } from "@/server/http/rate-limit/store";
import { type Log, outageLog } from "@/server/log";

/** Of a Redis that is connected and has answered: a process that is busy, or a server that stands still for a moment, is no outage. */
const PATIENCE = 500;
/** Of one that is not, or is suspected to be down. */
const DEADLINE = 50;
const READY_WITHIN = 2000;
const RETRY_AFTER_OUTAGE = 5000;
const CONNECT_TIMEOUT = 1000;
const SILENCE_TIMEOUT = 2000;
const LONGEST_RECONNECT_WAIT = 2000;
const KEY_PREFIX = "almanac:rate:";

/** The same arithmetic as buckets.ts; answers the debts before the take, from which `decide` draws the same conclusion. */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local debts, room = {}, true
for i, key in ipairs(KEYS) do
  local interval, capacity, deepest = tonumber(ARGV[3*i-1]), tonumber(ARGV[3*i]), tonumber(ARGV[3*i+1])
  debts[i] = math.min(math.max((tonumber(redis.call('GET', key)) or now) - now, 0), deepest)
  if debts[i] + interval > capacity then room = false end
end
if ARGV[1] == 'charge' or (ARGV[1] == 'take' and room) then
  for i, key in ipairs(KEYS) do
    local debt = math.min(debts[i] + tonumber(ARGV[3*i-1]), tonumber(ARGV[3*i+1]))
    redis.call('SET', key, string.format('%.0f', now + debt))
    redis.call('PEXPIRE', key, math.ceil(debt / 1000))
  end
end
return debts`;
const SCRIPT_SHA = createHash("sha1").update(TAKE_SCRIPT).digest("hex");

export interface RedisStoreOptions {
  url: string;
  /** Counts along, and answers while Redis does not. */
  local: MemoryStore;
  /** Milliseconds. */
  monotonic: () => number;
  log: Log;
  keyPrefix?: string;
  /** Milliseconds for an answer. */
  deadlineMs?: number;
}

/**
 * Keeps buckets that several processes share. With Redis down the local store answers, and Redis is left alone for 5 s. One late answer is
 * no outage yet: that request alone is decided here, and the next ones ask Redis, but wait less. The local store counts whatever is asked, and
 * learns what Redis answers, so that an outage does not grant every process another burst.
 */
export function redisStore(options: RedisStoreOptions): Store {
  const redis = connect(options.url);
  const contact = firstContact(redis);
  const outage = outageLog(options.log, {
    down: "Redis isn't responding: limits are counted in this process until it does",
    up: "Redis responds again: limits are shared again",
  });
  let leftAloneUntil = Number.NEGATIVE_INFINITY;
  let isSuspected = false;
  let answers = 0;

  async function ask(mode: Mode, draws: readonly Draw[]): Promise<Take> {
    if (redis.status !== "ready") await contact;
    const debts = await evaluate(redis, { mode, draws, prefix: options.keyPrefix ?? KEY_PREFIX });
    isSuspected = false; // however late
    answers += 1;
    const buckets = draws.map(({ bucket }) => bucket);
    const take = decide(buckets, debts);
    const isCharged = mode === "charge" || (mode === "take" && take.allowed);
    const after = isCharged ? buckets.map((bucket, i) => debtAfterCharge(bucket, debts[i] ?? 0)) : debts;
    options.local.learn(draws, after);
    return take;
  }

  function isDown(error: unknown): void {
    leftAloneUntil = options.monotonic() + RETRY_AFTER_OUTAGE;
    outage.failed(error);
  }

  return {
    async ready() {
      await within(options.deadlineMs ?? READY_WITHIN, ask("peek", [WARMING])).catch(isDown);
    },
    async run(mode, draws) {
      const here = options.local.run(mode, draws);
      if (options.monotonic() < leftAloneUntil) return here;
      const probing = outage.down;
      if (probing) leftAloneUntil = options.monotonic() + RETRY_AFTER_OUTAGE;
      const isTrusted = redis.status === "ready" && !probing && !isSuspected;
      const before = answers;
      try {
        const take = await within(options.deadlineMs ?? (isTrusted ? PATIENCE : DEADLINE), ask(mode, draws));
        if (probing) {
          leftAloneUntil = Number.NEGATIVE_INFINITY;
          outage.recovered();
        }
        return take;
      } catch (error) {
        const isAlive = answers > before; // others were answered in the meantime
        if (error instanceof Late && (isTrusted || (isAlive && !probing))) isSuspected = !isAlive;
        else isDown(error);
        return here;
      }
    },
    isShared: () => !outage.down,
    close() {
      redis.disconnect();
      options.local.close();
    },
  };
}

/** Nobody's bucket. */
const WARMING: Draw = { bucket: APPLICATION, tag: "warming", key: "warming" };

function connect(url: string): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    retryStrategy: (times) => Math.min(times * 100, LONGEST_RECONNECT_WAIT),
  });
  // Without a listener ioredis prints every failed reconnection; a failure shows where a request meets it.
  redis.on("error", () => undefined);
  return redis;
}

/** Settles once the first connection has succeeded or failed, so that a start is not taken for an outage. */
function firstContact(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["ready", "error", "close", "end"]) redis.once(event, () => resolve());
  });
}

async function evaluate(
  redis: Redis,
  { mode, draws, prefix }: { mode: Mode; draws: readonly Draw[]; prefix: string },
): Promise<number[]> {
  const keys = draws.map(({ bucket, tag, key }) => `${prefix}{${tag}}:${bucket.name}:${key}`);
  const rules = draws.flatMap(({ bucket }) => [bucket.interval, bucket.capacity, bucket.deepest]);
  const args = [...keys, mode, ...rules];
  const reply = await redis.evalsha(SCRIPT_SHA, keys.length, ...args).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith("NOSCRIPT"))
      return redis.eval(TAKE_SCRIPT, keys.length, ...args);
    throw error;
  });
  if (!Array.isArray(reply) || reply.length !== keys.length) throw new TypeError("unexpected reply");
  return reply.map(Number);
}

class Late extends Error {
  readonly code = "ETIMEDOUT";
}

/**
 * Rejects when the work takes too long. ioredis' commandTimeout does not serve: when this process itself stood still,
 * its timers fire before the sockets are read. The turn of the event loop between timer and refusal lets an answer that
 * has already arrived win.
 */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Late("no answer in time"));
    const timer = setTimeout(() => setImmediate(late), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
