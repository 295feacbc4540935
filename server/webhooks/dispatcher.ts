import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { type Database, db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { env } from "@/server/env";
import { attempt } from "@/server/webhooks/attempt";
import { type Claimed, claim, endOverdue, nextAttemptIn } from "@/server/webhooks/claim";
import { MOST_AT_ONCE } from "@/server/webhooks/claim-statement";
import { inflightLimit } from "@/server/webhooks/inflight-limit";
import { outcomeWriter } from "@/server/webhooks/outcome-writer";
import { receiverHealth } from "@/server/webhooks/receiver-health";

/** Attempts in progress in one process. */
const SLOTS = 400;
/** How many applications a process remembers the last host for. */
const MOST_TURNS_KEPT = 200;
/** A due delivery cannot always be claimed, because its host may be busy in another process. */
const SHORTEST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 60_000;
/** How often exhausted deliveries are ended while attempts continue without a pause. */
const ENDING_MS = 60_000;

export interface Dispatcher {
  /** Starts due attempts and waits as `drain` does. If the loop is already running, it only marks that there is more and returns. */
  nudge(withinMs?: number): Promise<void>;
  /** Attempts due deliveries. Resolves when nothing is due or in progress, or after this many milliseconds while the work continues. */
  drain(withinMs?: number): Promise<void>;
  /** Claims nothing more and waits for the attempts in progress. */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  db: () => Database;
  allowedOrigins: readonly string[];
  /** Called when nothing is left to do, with the milliseconds until there is. */
  onIdle?(nextInMs: number): void;
}

/** Sends due deliveries concurrently, so that a slow receiver holds one slot and delays nobody. */
export function dispatcher({ db, allowedOrigins, onIdle }: DispatcherOptions): Dispatcher {
  const store = outcomeWriter(db);
  const receivers = receiverHealth(SLOTS);
  const hostsAfter = new Map<string, string>();
  const door = inflightLimit();
  const underWay = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  let isLooping = false;
  let isDirty = false;
  let isStopping = false;
  let after = "";
  let started: Promise<void> = Promise.resolve();
  let poke = () => {};

  const start = (claimed: Claimed, leave: () => void) => {
    const run = attempt(claimed, allowedOrigins)
      .then(async (outcome) => {
        receivers.end(claimed, { answered: outcome.status !== null, durationMs: outcome.durationMs });
        await store(outcome);
      })
      .finally(() => {
        leave();
        underWay.delete(run);
        isDirty = true;
        poke();
      });
    underWay.add(run);
  };

  /** Each attempt starts as soon as the inflight limit allows. */
  const startAll = async (claimed: readonly Claimed[]) => {
    for (const one of claimed) receivers.begin(one);
    for (const one of claimed) {
      const isDead = receivers.isDead(one);
      while (!isDead && !door.isOpen()) await door.left();
      start(one, isDead ? () => {} : door.enter());
    }
  };

  const claimMore = async (): Promise<readonly Claimed[]> => {
    const most = Math.min(MOST_AT_ONCE, SLOTS - underWay.size);
    if (most <= 0) return [];
    const claimed = await claim(db(), {
      ...{ most, after, ...receivers.room() },
      hostsAfter: Object.fromEntries(hostsAfter),
    });
    after = claimed.at(-1)?.applicationId ?? "";
    for (const { applicationId, host } of claimed) noteTurn(applicationId, host);
    return claimed;
  };

  const noteTurn = (applicationId: string, host: string) => {
    hostsAfter.delete(applicationId);
    hostsAfter.set(applicationId, host);
    const [oldest] = hostsAfter.keys();
    if (hostsAfter.size > MOST_TURNS_KEPT && oldest !== undefined) hostsAfter.delete(oldest);
  };

  const pokedWithin = async (ms: number | null) => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      poke = resolve;
      if (ms !== null) timer = setTimeout(resolve, Math.min(Math.max(ms, SHORTEST_WAIT_MS), LONGEST_WAIT_MS));
    });
    clearTimeout(timer);
  };

  /** Ends in the same tick as its last check of `isDirty`, so that a later drain starts a new loop. */
  const loop = async () => {
    isLooping = true;
    try {
      for (let endsAt = 0; !isStopping; ) {
        isDirty = false;
        if (clock().monotonic() >= endsAt) {
          await endOverdue(db());
          endsAt = clock().monotonic() + ENDING_MS;
        }
        const claimed = await claimMore();
        await started; // the next deliveries are claimed while these pass the inflight limit
        started = startAll(claimed);
        if (claimed.length > 0 || isDirty) continue;
        const nextInMs = await nextAttemptIn(db());
        if (isDirty) continue;
        if (underWay.size === 0) return nextInMs === null ? undefined : onIdle?.(nextInMs);
        await pokedWithin(nextInMs);
      }
    } finally {
      isLooping = false;
    }
  };

  const drain = async (withinMs = 20_000) => {
    isDirty = true;
    poke();
    if (!isLooping) running = loop();
    const late = new AbortController();
    const timer = wait(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([running, timer]).finally(() => late.abort());
  };

  const stop = async () => {
    isStopping = true;
    poke();
    await running?.catch(() => undefined);
    await started;
    await Promise.all(underWay);
  };
  const nudge = async (withinMs?: number) => {
    if (!isLooping) return await drain(withinMs);
    isDirty = true;
    poke();
  };

  return { drain, nudge, stop };
}

declare global {
  var almanacDeliveries: Dispatcher | undefined;
}

/** The dispatcher of this process: a single one, however often this module is loaded. */
export function deliveries(): Dispatcher {
  globalThis.almanacDeliveries ??= dispatcher({
    db,
    allowedOrigins: env().CALLBACK_ALLOWED_ORIGINS,
    onIdle: (nextInMs) => wake("deliver", Math.max(nextInMs, 1)),
  });
  return globalThis.almanacDeliveries;
}
