import { setTimeout as sleep } from "node:timers/promises";
import type pino from "pino";
import { clock } from "@/server/clock";
import { databaseFault } from "@/server/db/faults";
import type { Contract } from "@/server/jobs/executor/contract";
import type { Ticker } from "@/server/jobs/executor/cron";
import type { Outlook } from "@/server/jobs/executor/executor.sql";
import type { Plan } from "@/server/jobs/executor/plan";
import { type Driver, drive } from "@/server/jobs/executor/run";
import { type ClaimedRun, LEASE_S, type Store } from "@/server/jobs/executor/store";
import type { OutageLog } from "@/server/log";

export interface LoopOptions {
  plans: readonly Plan[];
  store: Store;
  contract: Contract;
  crons: Ticker;
  outage: OutageLog;
  log: Pick<pino.Logger, "info" | "warn">;
}

export interface Loop {
  /** There may be something due now. */
  wake(): void;
  start(): void;
  stop(graceMs: number): Promise<void>;
  settle(): Promise<void>;
}

const MOST_RUNS = 16;
const POLL_MS = 5_000;
const RETRY_MS = 1_000;
/** As long as a lease: after that another may have the run. */
const WRITE_TRIES = LEASE_S;
const CLEAN_EVERY_MS = 3_600_000;

/** Finds runs that are due and drives them, a bounded number at once. It waits on one timer, and is woken inside the process. */
export function openLoop({ plans, store, contract, crons, outage, log }: LoopOptions): Loop {
  const planOf = new Map(plans.map((plan) => [plan.id, plan]));
  const underWay = new Map<string, { run: ClaimedRun; ended: Promise<void> }>();
  const alarm = openAlarm();
  let isStopping = false;
  let isPrepared = false;
  let cleanAt = Number.NEGATIVE_INFINITY;
  let turn: Promise<unknown> = Promise.resolve();
  let looping: Promise<void> | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const driver: Driver = {
    store,
    contract,
    persist: (work) => persist(work, outage),
    isStopping: () => isStopping,
    lost: (facts) => log.warn(facts, "a background function failed for good"),
  };

  /** One at a time, so that a claim that is under way is never overlooked. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  const begin = (run: ClaimedRun) => {
    const plan = planOf.get(run.functionId);
    if (!plan) return;
    const ended = drive(driver, plan, run)
      .catch(outage.failed)
      .then(() => {
        underWay.delete(run.id);
        alarm.ring();
      });
    underWay.set(run.id, { run, ended });
    heartbeat ??= setInterval(beat, (LEASE_S * 1000) / 3).unref();
  };

  const beat = () => {
    const runs = [...underWay.values()].map(({ run }) => run);
    if (runs.length > 0) void store.extend(runs).catch(outage.failed);
  };

  /** Chores first, then runs. Gives when to look again; 0: at once. */
  const round = (isWoken: boolean) =>
    inTurn(async () => {
      if (!isPrepared) await crons.prepare();
      isPrepared = true;
      await clean();
      const seen = await claimOrLook(isWoken);
      for (const run of seen.runs) begin(run);
      const ticks = isStopping ? 0 : await crons.tick(seen.now);
      outage.recovered();
      const again = ticks > 0 || (seen.runs.length > 0 && underWay.size < MOST_RUNS);
      return { waitMs: again ? 0 : waitOf(seen), begun: seen.runs.length + ticks };
    });

  /** A claim takes a lock and four statements: nobody needs it while nothing is due. */
  const claimOrLook = async (isWoken: boolean): Promise<Outlook & { runs: ClaimedRun[] }> => {
    const held = [...underWay.keys()];
    const free = isStopping ? 0 : MOST_RUNS - held.length;
    if (isWoken && free > 0) return await store.claim(plans, free, held);
    const seen = await store.look(plans, held);
    return seen.isDue && free > 0 ? await store.claim(plans, free, held) : { ...seen, runs: [] };
  };

  const waitOf = ({ now, nextAt }: Outlook) => {
    const next = Math.min(
      nextAt?.getTime() ?? Number.POSITIVE_INFINITY,
      crons.nextAt()?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    return Math.min(Math.max(next - now.getTime(), 1), POLL_MS);
  };

  const clean = async () => {
    if (clock().monotonic() < cleanAt) return;
    await store.clean(plans);
    cleanAt = clock().monotonic() + CLEAN_EVERY_MS;
  };

  const loop = async () => {
    for (let isWoken = true; !isStopping; ) {
      const waitMs: number = await round(isWoken).then(
        (seen) => seen.waitMs,
        (error) => {
          outage.failed(error);
          return RETRY_MS;
        },
      );
      isWoken = waitMs === 0 || (await alarm.wait(waitMs));
    }
  };

  return {
    wake: alarm.ring,
    start() {
      looping ??= loop();
    },
    async stop(graceMs) {
      isStopping = true;
      alarm.ring();
      const ended = Promise.all([looping, ...[...underWay.values()].map((one) => one.ended)]);
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })]);
      clearInterval(heartbeat);
    },
    async settle() {
      for (let begun = 1; begun > 0 || underWay.size > 0; ) {
        ({ begun } = await round(true));
        await Promise.all([...underWay.values()].map((one) => one.ended));
      }
    },
  };
}

/** A wake-up that comes while nobody waits is kept for who waits next. */
function openAlarm() {
  let rang = false;
  let waiting: ((rang: boolean) => void) | undefined;
  return {
    ring() {
      if (waiting) waiting(true);
      else rang = true;
    },
    /** True: it rang; false: the time is over. */
    async wait(ms: number): Promise<boolean> {
      if (rang) {
        rang = false;
        return true;
      }
      let timer: NodeJS.Timeout | undefined;
      const result = await new Promise<boolean>((resolve) => {
        waiting = resolve;
        timer = setTimeout(() => resolve(false), ms);
      });
      clearTimeout(timer);
      waiting = undefined;
      return result;
    },
  };
}

async function persist<T>(work: () => Promise<T>, outage: OutageLog): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (databaseFault(error) === "invalid_value") throw error;
      outage.failed(error);
      if (tries >= WRITE_TRIES) throw error;
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}
