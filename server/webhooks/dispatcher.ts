import { clock } from "@/server/clock";
import { type Database, db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { env } from "@/server/env";
import { attempt } from "@/server/webhooks/attempt";
import { type Claimed, claim, endOverdue, nextAttemptIn } from "@/server/webhooks/claim";
import { MOST_AT_ONCE } from "@/server/webhooks/claim.sql";
import { inflightLimit } from "@/server/webhooks/inflight-limit";
import { outcomeWriter } from "@/server/webhooks/outcome-writer";
import { receiverHealth } from "@/server/webhooks/receiver-health";
import { type WorkLoop, workLoop } from "@/server/work-loop";

/** Attempts in progress in one process. */
const SLOTS = 400;
/** How many applications a process remembers the last host for. */
const MOST_TURNS_KEPT = 200;
/** A due delivery cannot always be claimed, because its host may be busy in another process. */
const SHORTEST_WAIT_MS = 100;
/** How often exhausted deliveries are ended while attempts continue without a pause. */
const ENDING_MS = 60_000;

/** A claimed delivery, with the promise of its place under the inflight limit and of what gives the place back. */
interface Due {
  claimed: Claimed;
  entered: Promise<() => void>;
}

export interface DispatcherOptions {
  db: () => Database;
  allowedOrigins: readonly string[];
  /** Called when nothing is left to do, with the milliseconds until there is. */
  onIdle?(nextInMs: number): void;
}

/** Sends due deliveries concurrently, so that a slow receiver holds one slot and delays nobody. */
export function dispatcher({ db, allowedOrigins, onIdle = () => {} }: DispatcherOptions): WorkLoop {
  const store = outcomeWriter(db);
  const receivers = receiverHealth(SLOTS);
  const hostsAfter = new Map<string, string>();
  const limit = inflightLimit();
  let after = "";
  let endsAt = 0;
  let allEntered: Promise<unknown> = Promise.resolve();

  const claimMore = async (inProgress: number): Promise<readonly Claimed[]> => {
    const most = Math.min(MOST_AT_ONCE, SLOTS - inProgress);
    if (most <= 0) return [];
    const claimed = await claim(db(), {
      ...{ most, after, ...receivers.free() },
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

  /** One after another: each attempt starts as soon as the inflight limit allows. */
  const enter = async (claimed: Claimed, before: Promise<unknown>): Promise<() => void> => {
    await before;
    const isDead = receivers.isDead(claimed);
    while (!isDead && !limit.isOpen()) await limit.left();
    return isDead ? () => {} : limit.enter();
  };

  return workLoop<Due>({
    async claim({ isFirst, inProgress }) {
      if (isFirst || clock().monotonic() >= endsAt) {
        await endOverdue(db());
        endsAt = clock().monotonic() + ENDING_MS;
      }
      const claimed = await claimMore(inProgress);
      await allEntered; // the next deliveries are claimed while these pass the inflight limit
      for (const one of claimed) receivers.begin(one);
      return claimed.map((one) => {
        const entered = enter(one, allEntered);
        allEntered = entered;
        return { claimed: one, entered };
      });
    },
    async work({ claimed, entered }) {
      const leave = await entered;
      try {
        const outcome = await attempt(claimed, allowedOrigins);
        receivers.end(claimed, { answered: outcome.status !== null, durationMs: outcome.durationMs });
        await store(outcome);
      } finally {
        leave();
      }
    },
    nextIn: () => nextAttemptIn(db()),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle,
  });
}

declare global {
  var almanacDeliveries: WorkLoop | undefined;
}

/** The dispatcher of this process: a single one, however often this module is loaded. */
export function deliveries(): WorkLoop {
  globalThis.almanacDeliveries ??= dispatcher({
    db,
    allowedOrigins: env().CALLBACK_ALLOWED_ORIGINS,
    onIdle: (nextInMs) => wake("deliver", Math.max(nextInMs, 1)),
  });
  return globalThis.almanacDeliveries;
}
