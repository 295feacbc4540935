import { setTimeout as sleep } from "node:timers/promises";
import type pino from "pino";
import { clock } from "@/server/clock";
import type { Contract } from "@/server/jobs/executor/contract";
import type { Ticker } from "@/server/jobs/executor/cron";
import type { Plan } from "@/server/jobs/executor/plan";
import { type Driver, drive } from "@/server/jobs/executor/run";
import { type ClaimedRun, LEASE_S, type Store } from "@/server/jobs/executor/store";
import type { OutageLog } from "@/server/log";
import { workLoop } from "@/server/work-loop";

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
const SETTLED_WITHIN_MS = 600_000;

/** Finds runs that are due and drives them, a bounded number at once. It waits on one timer, and is woken inside the process. */
export function openLoop({ plans, store, contract, crons, outage, log }: LoopOptions): Loop {
  const planOf = new Map(plans.map((plan) => [plan.id, plan]));
  const held = new Map<string, ClaimedRun>();
  let state: "new" | "started" | "stopping" = "new";
  let isPrepared = false;
  let cleanAt = Number.NEGATIVE_INFINITY;
  let nextInMs = POLL_MS;
  let poll: NodeJS.Timeout | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  const driver: Driver = {
    store,
    contract,
    persist: (work) => persist(work, outage),
    isStopping: () => state === "stopping",
    lost: (facts) => log.warn(facts, "a background function failed for good"),
  };

  const claim = async (): Promise<ClaimedRun[]> => {
    const seen = await store.claim(plans, MOST_RUNS - held.size, [...held.keys()]);
    for (const run of seen.runs) held.set(run.id, run);
    if ((await crons.tick(seen.now)) > 0) return [...seen.runs, ...(await claim())];
    const next = Math.min(seen.nextAt?.getTime() ?? Infinity, crons.nextAt()?.getTime() ?? Infinity);
    nextInMs = Math.min(next - seen.now.getTime(), POLL_MS);
    return seen.runs;
  };

  const claimAll = async (): Promise<ClaimedRun[]> => {
    try {
      if (!isPrepared) await crons.prepare();
      isPrepared = true;
      await clean();
      const runs = await claim();
      outage.recovered();
      return runs;
    } catch (error) {
      outage.failed(error);
      nextInMs = RETRY_MS;
      return [];
    }
  };

  const clean = async () => {
    if (clock().monotonic() < cleanAt) return;
    await store.clean(plans);
    cleanAt = clock().monotonic() + CLEAN_EVERY_MS;
  };

  const work = async (run: ClaimedRun) => {
    heartbeat ??= setInterval(beat, (LEASE_S * 1000) / 3).unref();
    const plan = planOf.get(run.functionId);
    if (plan) await drive(driver, plan, run).catch(outage.failed);
    held.delete(run.id);
  };

  const beat = () => {
    if (held.size > 0) void store.extend([...held.values()]).catch(outage.failed);
  };

  const loop = workLoop<ClaimedRun>({
    claim: claimAll,
    work,
    nextIn: async () => nextInMs,
    shortestWaitMs: 1,
    onIdle(ms) {
      clearTimeout(poll);
      if (state === "started") poll = setTimeout(wake, ms);
    },
  });

  const wake = () => {
    if (state === "started") loop.wake();
  };

  return {
    wake,
    start() {
      if (state === "new") state = "started";
      wake();
    },
    async stop(graceMs) {
      state = "stopping";
      clearTimeout(poll);
      await Promise.race([loop.stop(), sleep(graceMs, undefined, { ref: false })]);
      clearInterval(heartbeat);
    },
    settle: () => loop.drain(SETTLED_WITHIN_MS),
  };
}

async function persist<T>(work: () => Promise<T>, outage: OutageLog): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      outage.failed(error);
      if (tries >= WRITE_TRIES) throw error;
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}
