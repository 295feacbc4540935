import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { databaseFault } from "@/server/db/faults";
import { run, runOne } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { GIVEN_UP_AFTER_MS } from "@/server/domain/channels/schedule";
import { noteAnnouncements, noteWaits } from "@/server/meters";
import {
  analyzeQueue,
  type ClaimedDelivery,
  claimDeliveries,
  endOverdueDeliveries,
  MOST_AT_ONCE,
  MOST_LOST,
  makeReady,
  nextAttempt,
  nextAttemptOfApplication,
} from "@/server/webhooks/claim.sql";
import type { Keys } from "@/server/work-loop";

/** The most tries of a claim that found only what another process was claiming, or what had just been done. */
const MOST_TRIES = 5;

/** A receiver is a host of one application: each is judged separately, even if applications share a host. */
export interface Receiver {
  applicationId: string;
  host: string;
}

/** A delivery that this process has claimed. Everything written about it later must match the lease. */
export interface DeliveryClaim extends ClaimedDelivery {
  lease: string;
}

export interface ClaimInput {
  /** The most to claim, up to a hundred. */
  most: number;
  /** The application to begin after, so that all get their share. */
  after?: string;
  /** The host to begin after, by application. */
  hostsAfter?: Readonly<Record<string, string>>;
  /** The only applications to claim for. Omitted, or null: all. */
  keys?: Keys;
  /** What the last claim of this process saw, remembered between claims. */
  seen?: { someWaited: boolean };
  /** The most to claim by `receiverKey`. One for a receiver that is not listed. */
  limits?: Readonly<Record<string, number>>;
}

export function receiverKey({ applicationId, host }: Receiver): string {
  return `${applicationId} ${host}`;
}

/**
 * Claims due deliveries in rotation: one of each application, then the next of each, host by host. Skips hosts where
 * another process is claiming.
 * Deliveries that have waited long enough are made ready before the next claim, so this one's are not delayed.
 * The claim counts the attempt and sets the next one to the documented wait from now: a process that dies with it loses
 * nothing, is never early, and cannot loop. A manual retry is due again when its lease is over, and is given up after a
 * few lost attempts.
 */
export async function claim(
  db: Database,
  { most, after = "", hostsAfter = {}, keys = null, limits = {}, seen = { someWaited: false } }: ClaimInput,
): Promise<DeliveryClaim[]> {
  const lease = randomUUID();
  const values = [databaseTime(), lease, most, keys && JSON.stringify(keys), after, hostsAfter, limits, MOST_AT_ONCE];
  for (let tries = 1; ; tries++) {
    const { someWaited } = seen;
    seen.someWaited = false;
    if (someWaited) await unlessMoved(() => runOne(db.query, makeReady, [databaseTime()]));
    const rows = await unlessMoved(() => run(db.query, claimDeliveries, values));
    seen.someWaited = rows?.some((row) => row.someWaited) ?? false;
    const claimed =
      rows?.flatMap(({ id, found: _, someWaited: __, ...row }) => (id === null ? [] : [{ id, lease, ...row }])) ?? [];
    noteWaits("deliver", claimed);
    noteAnnouncements(claimed);
    if (claimed.length > 0 || (rows?.every(({ found }) => found === 0) && !seen.someWaited) || tries >= MOST_TRIES)
      return claimed;
  }
}

/**
 * Returns null if a delivery that it was about to lock has left the queue for the history, which PostgreSQL reports as
 * a conflict.
 */
async function unlessMoved<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (databaseFault(error) === "collision") return null;
    throw error;
  }
}

/**
 * Ends what must not be attempted again: the tenth attempt was lost with its process, or 48 hours are over ("Events",
 * 5). Neither applies to a manual retry: it ends when its attempts were lost, and the delivery returns to its previous
 * state. Changes that waited for its end get another delivery.
 */
export async function endOverdue(db: Database): Promise<number> {
  const values = [databaseTime(), GIVEN_UP_AFTER_MS / 1000, MOST_LOST];
  const row = await db.transaction((query) => runOne(query, endOverdueDeliveries, values)); // begun again when a delivery has just left the queue
  if (row.followed > 0) wake("notify");
  return row.n;
}

/**
 * Makes PostgreSQL notice a backlog. It caches the plans of claims and outcomes, and those made while the queue was
 * empty read all of it for each host and each outcome.
 */
export async function noteBacklog(db: Database): Promise<void> {
  await run(db.query, analyzeQueue);
}

/**
 * Returns the milliseconds until the next attempt is due, or would be if the one in progress were lost. Null: none is
 * pending. `application`: the only one to look at; null, or omitted: all.
 */
export async function nextAttemptIn(db: Database, application: string | null = null): Promise<number | null> {
  const values = [databaseTime(), ...(application === null ? [] : [application])];
  const row = await runOne(db.query, application === null ? nextAttempt : nextAttemptOfApplication, values);
  return row.ms === null ? null : Math.max(0, Math.ceil(row.ms));
}
