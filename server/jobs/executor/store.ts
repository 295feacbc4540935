import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { locks } from "@/server/db/locks";
import { lockOne } from "@/server/db/locks.sql";
import { run, runOne } from "@/server/db/statement";
import type { CausedRun } from "@/server/jobs/executor/arrivals";
import type { Failure } from "@/server/jobs/executor/contract";
import type { Outlook, StoredStep } from "@/server/jobs/executor/executor.sql";
import * as sql from "@/server/jobs/executor/executor.sql";
import type { Plan } from "@/server/jobs/executor/plan";

export const LEASE_S = 15;
const EVENTS_KEPT_S = 86_400;
const DONE_KEPT_S = 86_400;
const FAILED_KEPT_S = 7 * 86_400;
const LONGEST_ERROR = 2_000;

/** A run that this process may call. What is written about it later must show the lease. */
export interface ClaimedRun {
  id: string;
  lease: string;
  functionId: string;
  event: string;
  /** The number of the call that may be made now, 1 for the first since the last progress. It is counted whatever becomes of it. */
  attempt: number;
  steps: StoredStep[];
}

/** A step as it is written: `wait` from now, or with what was decided before. */
export interface StepChange {
  id: string;
  sleeps: boolean;
  attempts: number;
  seconds?: number;
  until?: Date;
  place?: number;
  result?: string;
}

export interface Progress {
  attempt: number;
  steps: StepChange[];
  /** The run is given back and due again by then, whichever is first; without it the run is kept. */
  release?: { seconds?: number; until?: Date };
}

export type Store = ReturnType<typeof openStore>;

/** The executor's rows of one app. Times are the database's, or the fake clock's. */
export function openStore(db: Database, appId: string) {
  return {
    async now(): Promise<Date> {
      const row = await runOne(db.query, sql.now, [databaseTime()]);
      return row.now;
    },

    /** Stores events not known by their ids, and the runs they cause, at once. */
    async accept(runs: readonly CausedRun[]): Promise<void> {
      const of = <Key extends keyof CausedRun>(key: Key) => runs.map((run) => run[key]);
      const events = [...new Set(of("eventId"))].sort();
      await run(db.query, sql.accept, [
        ...[databaseTime(), appId, EVENTS_KEPT_S, events],
        ...[of("id"), of("eventId"), of("functionId"), of("event"), of("startsAt")],
        ...[of("slot1"), of("slot2"), of("debounceKey"), of("debounceSeconds"), of("timeoutSeconds")],
      ]);
    },

    /** Takes up to `most` runs that are due, the longest due first, as far as the functions' limits allow. `held` are this process's own. */
    async claim(
      plans: readonly Plan[],
      most: number,
      held: readonly string[],
    ): Promise<Outlook & { runs: ClaimedRun[] }> {
      const lease = randomUUID();
      const limit = (index: number) => plans.map(({ limits }) => limits[index]?.limit ?? null);
      const ids = plans.map(({ id }) => id);
      const rows = await db.transaction(async (query) => {
        await run(query, lockOne, [locks.runClaims, appId]);
        const values = [databaseTime(), appId, lease, most, [...held], ids, limit(0), limit(1), LEASE_S];
        return await run(query, sql.claim, values);
      });
      const [first] = rows;
      if (!first) throw new Error("the database does not know the time");
      const runs = rows.flatMap(({ id, functionId, event, attempt, steps }) =>
        id === null ? [] : [{ id, lease, functionId, event, attempt, steps }],
      );
      return { now: first.now, nextAt: first.nextAt, runs };
    },

    /** What a claim would find. */
    async look(plans: readonly Plan[], held: readonly string[]): Promise<Outlook & { isDue: boolean }> {
      const values = [databaseTime(), appId, plans.map(({ id }) => id), [...held]];
      return await runOne(db.query, sql.look, values);
    },

    /** Writes what a call came to. Null: the lease was lost and nothing is written. */
    async save({ id, lease }: ClaimedRun, { attempt, steps, release }: Progress): Promise<{ now: Date } | null> {
      const of = <Key extends keyof StepChange>(key: Key) => steps.map((step) => step[key] ?? null);
      const [row] = await run(db.query, sql.save, [
        ...[databaseTime(), id, lease, attempt, LEASE_S],
        ...[release !== undefined, release?.seconds ?? null, release?.until ?? null],
        ...[of("id"), of("sleeps"), of("attempts"), of("seconds"), of("until"), of("place"), of("result")],
      ]);
      return row ?? null;
    },

    /** Ends a run; with an error it failed. False: the lease was lost. */
    async finish({ id, lease }: ClaimedRun, error?: Failure): Promise<boolean> {
      const text = error && JSON.stringify(error).slice(0, LONGEST_ERROR);
      const rows = await run(db.query, error ? sql.fail : sql.finish, [
        databaseTime(),
        id,
        lease,
        ...(text ? [text] : []),
      ]);
      return rows.length > 0;
    },

    async extend(runs: readonly ClaimedRun[]): Promise<void> {
      const values = [databaseTime(), LEASE_S, runs.map(({ id }) => id), runs.map(({ lease }) => lease)];
      await run(db.query, sql.extend, values);
    },

    /** Keeps these crons and drops others of the app; those already known keep their next tick. */
    async keepCrons(crons: readonly { functionId: string; cron: string; nextAt: Date }[]) {
      const values = [appId, ...(["functionId", "cron", "nextAt"] as const).map((key) => crons.map((one) => one[key]))];
      await run(db.query, sql.keepCrons, values);
      return await db.prisma.backgroundCron.findMany({ omit: { appId: true }, where: { appId } });
    },

    /** Makes the run of a tick that is due, unless another process did. */
    async tick(tick: {
      functionId: string;
      cron: string;
      event: string;
      runId: string;
      nextAt: Date;
      slot1: string | null;
      slot2: string | null;
    }) {
      const { functionId, cron, event, runId, nextAt, slot1, slot2 } = tick;
      await run(db.query, sql.tick, [databaseTime(), appId, functionId, cron, nextAt, runId, event, slot1, slot2]);
    },

    /** Drops what nobody needs any more. */
    async clean(plans: readonly Plan[]): Promise<void> {
      await run(db.query, sql.dropEvents, [databaseTime(), appId, EVENTS_KEPT_S]);
      await run(db.query, sql.dropRuns, [databaseTime(), appId, "done", DONE_KEPT_S]);
      await run(db.query, sql.dropRuns, [databaseTime(), appId, "failed", FAILED_KEPT_S]);
      await run(db.query, sql.dropOrphans, [databaseTime(), appId, FAILED_KEPT_S, plans.map(({ id }) => id)]);
    },
  };
}
