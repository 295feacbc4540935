import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import { type Database, db } from "@/server/db/client";
import { wake } from "@/server/db/wake";
import { env } from "@/server/env";
import { capacities } from "@/server/env/capacities";
import { tracing } from "@/server/tracing";
import { attempt } from "@/server/webhooks/attempt";
import { claim, type DeliveryClaim, endOverdue, nextAttemptIn, noteBacklog } from "@/server/webhooks/claim";
import { MOST_AT_ONCE } from "@/server/webhooks/claim.sql";
import { tracedAttempt } from "@/server/webhooks/delivery-trace";
import { outcomeWriter } from "@/server/webhooks/outcome-writer";
import type { Outcome } from "@/server/webhooks/outcomes";
import { pace } from "@/server/webhooks/pace";
import { receiverHealth } from "@/server/webhooks/receiver-health";
import { type Keys, type Note, type WorkLoop, workLoop } from "@/server/work-loop";

/** The most applications for which a process remembers the last host. */
const MOST_TURNS_KEPT = 200;
/** A due delivery cannot always be claimed, because its host may be busy in another process. */
const SHORTEST_WAIT_MS = 100;
/**
 * With this many attempts in progress, a claim that found little waits before the next: it costs as much for one as for
 * many.
 */
const MANY = 20;
const GATHERING_MS = 10;
/** The interval at which exhausted deliveries are ended while attempts continue without a pause. */
const ENDING_MS = 60_000;
/** The interval at which a backlog is noted while it lasts. */
const NOTING_MS = 10_000;

/** A claimed delivery, with the promise of its turn to begin. */
interface Due {
  claimed: DeliveryClaim;
  begins: Promise<void>;
}

export interface DispatcherOptions {
  db: () => Database;
  allowedOrigins: readonly string[];
  /** Attempts in progress at once. */
  slots?: number;
  /** Called when nothing is left to do, with the milliseconds until there is. */
  onIdle?(nextInMs: number): void;
}

/** Sends due deliveries concurrently, so that a slow receiver holds one slot and delays nobody. */
export function dispatcher({
  db,
  allowedOrigins,
  slots = capacities.DELIVERY_SLOTS.byDefault,
  onIdle = () => {},
}: DispatcherOptions): WorkLoop {
  const outcomes = outcomeWriter(db);
  const turn = pace(outcomes);
  const receivers = receiverHealth(slots);
  const hostsAfter = new Map<string, string>();
  const seen = { someWaited: false };
  let after = "";
  let endsAt = 0;
  let notesAt = 0;
  let wasFull = false;
  let allBegin: Promise<void> = Promise.resolve();

  const claimMore = async (inProgress: number, keys: Keys): Promise<readonly DeliveryClaim[] | null> => {
    const most = Math.min(MOST_AT_ONCE, slots - inProgress);
    if (most <= 0) return null;
    const claimed = await claim(db(), {
      ...{ most, after, seen, keys, ...receivers.free() },
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

  return workLoop<Due>({
    async claim({ isFirst, inProgress, keys }) {
      if (isFirst || clock().monotonic() >= endsAt) {
        await endOverdue(db());
        endsAt = clock().monotonic() + ENDING_MS;
      }
      if (wasFull && clock().monotonic() >= notesAt) {
        await noteBacklog(db());
        notesAt = clock().monotonic() + NOTING_MS;
      }
      if (inProgress >= MANY && !wasFull) await wait(GATHERING_MS);
      const claimed = await claimMore(inProgress, keys);
      wasFull = (claimed?.length ?? 0) >= MOST_AT_ONCE / 2;
      await allBegin; // the next deliveries are claimed while these wait for their turn
      for (const one of claimed ?? []) receivers.begin(one);
      const claimedAt = clock().monotonic();
      if (!claimed) return null;
      return claimed.map((one) => {
        allBegin = allBegin.then(() => turn(claimedAt));
        return { claimed: one, begins: allBegin };
      });
    },
    async work({ claimed, begins }) {
      await begins;
      const send = () => attempt(db(), claimed, allowedOrigins);
      const trace = tracing();
      const outcome = trace ? await tracedAttempt(trace, { db: db(), claimed }, send) : await send();
      receivers.end(claimed, { answered: outcome.status !== null, durationMs: outcome.durationMs });
      await outcomes.store(outcome);
      return noteOf(claimed, outcome);
    },
    keyOf: ({ claimed }) => claimed.applicationId,
    nextIn: () => nextAttemptIn(db()),
    shortestWaitMs: SHORTEST_WAIT_MS,
    onIdle,
  });
}

/** Counts an attempt for its host, by what came of it and by why it was made. The path of a receiver may be secret. */
function noteOf({ host, attempt, manual, byStaff }: DeliveryClaim, { verdict, status, errorClass }: Outcome): Note {
  const came = verdict === "delivered" ? "sent" : (errorClass ?? `http_${status}`);
  const unscheduled = byStaff ? "by_staff" : "for_changes";
  const why = manual ? unscheduled : attempt === 1 ? "first_attempts" : "retries";
  const ended = verdict === "failed" || verdict === "gone" ? { [verdict]: 1 } : {};
  return { subject: host, counts: { [why]: 1, [came]: 1, ...ended } };
}

/** Delivers notifications, as this process is configured. */
export function deliveries(): WorkLoop {
  return dispatcher({
    db,
    allowedOrigins: env().CALLBACK_ALLOWED_ORIGINS,
    slots: env().DELIVERY_SLOTS,
    onIdle: (nextInMs) => wake("deliver", nextInMs),
  });
}
