import { randomUUID } from "node:crypto";
import { dropAll } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne, type Statement } from "@/server/db/statement";
import type { CausedRun } from "@/server/jobs/executor/arrivals";
import type { Failure } from "@/server/jobs/executor/contract";
import type { Outlook, StoredStep } from "@/server/jobs/executor/executor.sql";
import * as sql from "@/server/jobs/executor/executor.sql";
import type { Plan } from "@/server/jobs/executor/plan";
import type { Wait } from "@/server/jobs/executor/wait";

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

export interface Progress {
  attempt: number;
  /** Steps that are done since the last write. */
  steps: StoredStep[];
  /** The run is given back and due again then; without it the run is kept. */
  release?: Wait;
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
      ]);
    },

    /** Takes up to `most` runs that are due, the longest due first. `held` are this process's own. */
    async claim(
      plans: readonly Plan[],
      most: number,
      held: readonly string[],
    ): Promise<Outlook & { runs: ClaimedRun[] }> {
      const lease = randomUUID();
      const values = [databaseTime(), appId, lease, most, [...held], plans.map(({ id }) => id), LEASE_S];
      const rows = await run(db.query, sql.claim, values);
      const [first] = rows;
      if (!first) throw new Error("the database does not know the time");
      const runs = rows.flatMap(({ id, functionId, event, attempt, steps }) =>
        id === null ? [] : [{ id, lease, functionId, event, attempt, steps }],
      );
      return { now: first.now, nextAt: first.nextAt, runs };
    },

    /** Writes what a call came to. False: the lease was lost and nothing is written. */
    async save({ id, lease }: ClaimedRun, { attempt, steps, release }: Progress): Promise<boolean> {
      const of = <Key extends keyof StoredStep>(key: Key) => steps.map((step) => step[key]);
      const { seconds = null, until = null } = (release ?? {}) as { seconds?: number; until?: Date };
      const rows = await run(db.query, sql.save, [
        ...[databaseTime(), id, lease, attempt, LEASE_S],
        ...[release !== undefined, seconds, until],
        ...[of("id"), of("place"), of("result")],
      ]);
      return rows.length > 0;
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
    async tick(tick: { functionId: string; cron: string; event: string; runId: string; nextAt: Date }) {
      const { functionId, cron, event, runId, nextAt } = tick;
      await run(db.query, sql.tick, [databaseTime(), appId, functionId, cron, nextAt, runId, event]);
    },

    /** Drops what nobody needs any more, batch by batch. */
    async clean(plans: readonly Plan[]): Promise<void> {
      const drop = (deleting: Statement<{ n: number }>, keptS: number, ...values: unknown[]) =>
        dropAll((most) => runOne(db.query, deleting, [databaseTime(), most, appId, keptS, ...values]));
      const functions = plans.map(({ id }) => id);
      await drop(sql.dropEvents, EVENTS_KEPT_S);
      await drop(sql.dropRuns, DONE_KEPT_S, "done");
      await drop(sql.dropRuns, FAILED_KEPT_S, "failed");
      await drop(sql.dropOrphans, FAILED_KEPT_S, functions);
    },
  };
}
