import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { capacities } from "@/server/env/capacities";
import { type BodyMemory, bodyMemory } from "@/server/http/admission/body-memory";
import { type FairQueue, fairQueue } from "@/server/http/admission/fair-queue";
import type { Applicant, QueueLimits, Timing } from "@/server/http/admission/queue";
import { log } from "@/server/log";
import { type AdmissionPlace, meters } from "@/server/meters";

const timing: Timing = {
  monotonic: () => clock().monotonic(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** As many wait as may arrive at once within the documented limits (spec "Limits"). */
const waiting = { waitingPerAccount: 150, waitingPerApplication: 600, waiting: 3_000 };
/** A request waits so many times as long for its turn as it does for a connection afterwards: a whole burst gets through in it. */
const PATIENCE = 4;
/** Longer than any statement is waited for (server/db/client.ts). */
const LONGEST_HOLD_MS = 30_000;

/** What is left of the pool for background work. */
const FOR_WORK = 2;
/** Of what may run at once, an application may have so much. */
const SHARE = 3 / 8;

function onServer(connections: number) {
  const atOnce = connections - FOR_WORK;
  return { ...waiting, atOnce, perApplication: Math.max(1, Math.round(atOnce * SHARE)), perAccount: 2 };
}

/** The embedded database does one thing at a time: what waits for it waits here, where turns are fair. */
const onEmbedded = { ...waiting, atOnce: 3, perApplication: 2, perAccount: 2 };

/** Large bodies that are there are parsed one after another. */
const parsing = { ...waiting, atOnce: 3, perApplication: 1, perAccount: 1 };

const MIB = 1024 ** 2;
/** Until their request is answered. The largest body that is read has 16 MiB. */
const bodies = { most: 64 * MIB, perApplication: 20 * MIB };

export interface Admission {
  /** Slots at the database. */
  requests: FairQueue;
  largeBodies: FairQueue;
  /** Memory for bodies. */
  bodies: BodyMemory;
}

export function admission(
  database: Pick<Database, "isServer" | "patience">,
  connections: number = capacities.DATABASE_POOL.byDefault,
): Admission {
  const patience = PATIENCE * database.patience;
  const longestHold = LONGEST_HOLD_MS;
  const opened = (place: AdmissionPlace, limits: Omit<QueueLimits, "patience" | "longestHold">) =>
    fairQueue({ ...limits, patience, longestHold }, timing, {
      waited: (ms) => meters()?.admission({ place, ms }),
      overdue: noteOverdue,
    });
  return {
    requests: opened("request", database.isServer ? onServer(connections) : onEmbedded),
    largeBodies: opened("large_body", parsing),
    bodies: bodyMemory(bodies),
  };
}

function noteOverdue({ applicationId, accountId }: Applicant): void {
  const message = "a request has held its slot for too long, and others go ahead";
  log({ module: "http" }).warn({ applicationId, accountId, seconds: LONGEST_HOLD_MS / 1_000 }, message);
}
