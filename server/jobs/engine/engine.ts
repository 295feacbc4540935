import { setTimeout as wait } from "node:timers/promises";
import { NonRetriableError } from "inngest";
import type pino from "pino";
import { clock } from "@/server/clock";
import { databaseFault } from "@/server/db/faults";
import { openAgenda } from "@/server/jobs/engine/agenda";
import { openFlow } from "@/server/jobs/engine/flow";
import { refuseUnsupported } from "@/server/jobs/engine/supported";
import { nextTick } from "@/server/jobs/engine/ticks";
import { durationOf, retryWait } from "@/server/jobs/engine/waits";
import { errorName, type JobEvent, type JobFunction, type Steps, TICK } from "@/server/jobs/job-function";

/** Runs functions in this process. Rows are the truth, so it keeps nothing: the sweep finds what ends with the process. */
export interface Engine {
  /** Ticks from now on. Runs each of these functions once, whose ticks may have been missed. */
  start(missed: readonly JobFunction[]): void;
  /** Begins the runs of an event, at its time. */
  send(event: JobEvent): void;
  /** Begins nothing more, and waits for the steps in progress. */
  stop(graceMs?: number): Promise<void>;
  /** Does all that is due by the clock. Resolves when nothing is. For tests. */
  settle(): Promise<void>;
}

const STOP_WITHIN_MS = 5_000;

interface Run {
  retries: number;
  /** Its time is over. */
  isOver(): boolean;
}

/** An error of a step that was tried as often as it may be. Ends the run. */
class StepFailed extends Error {
  constructor(cause: unknown) {
    super("a step failed for good", { cause });
  }
}

/** Opens the engine. Throws when a function declares what it does not have. */
export function openEngine(functions: readonly JobFunction[], log: Pick<pino.Logger, "warn" | "debug">): Engine {
  for (const one of functions) refuseUnsupported(one);
  const agenda = openAgenda();
  const flow = openFlow();
  /** Events with an id that are not done, by function. */
  const unfinished = new Set<string>();
  let working = 0;
  let isStopping = false;
  let moved = () => {};

  const rest = () => {
    working -= 1;
    moved();
  };
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      agenda.add(clock().now() + ms, () => {
        working += 1;
        resolve();
      });
      rest();
    });
  const never = () => new Promise<never>(rest);

  /** Tries until it succeeds or must not be tried again. Once the engine stops or the run is over, what is not begun never is. */
  const tried = async <T>({ retries, isOver }: Run, work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      if (isStopping || isOver()) await never();
      try {
        return await work();
      } catch (error) {
        if (error instanceof StepFailed) throw error;
        if (error instanceof NonRetriableError || attempt > retries) throw new StepFailed(error);
        await sleep(retryWait(attempt, error, clock().now()));
      }
    }
  };

  const stepsOf = (run: Run): Steps => {
    const done = new Map<string, unknown>();
    return {
      async run<T>(id: string, work: () => Promise<T>): Promise<T> {
        if (!done.has(id)) done.set(id, asJson(await tried(run, work)));
        return done.get(id) as T;
      },
      async sleep(id, time) {
        if (!done.has(id)) await sleep(durationOf(time));
        done.set(id, null);
      },
    };
  };

  const perform = async (one: JobFunction, event: JobEvent, run: Run) => {
    const step = stepsOf(run);
    working += 1;
    try {
      await tried(run, () => one.handler({ event, step }));
    } catch (error) {
      // While the database is away every tick fails, which other modules log once.
      const level = isAway(error) ? "debug" : "warn";
      log[level]({ function: one.id, error: nameOf(error) }, "a background function failed for good");
    } finally {
      rest();
    }
  };

  /** Performs a run. Resolves when it is over, or its time is. */
  const run = (one: JobFunction, event: JobEvent): Promise<void> => {
    let isOver = false;
    const performed = perform(one, event, { retries: one.retries, isOver: () => isOver });
    if (!one.timeouts) return performed;
    const over = new AbortController();
    const late = wait(durationOf(one.timeouts.finish), undefined, { ref: false, signal: over.signal });
    return Promise.race([performed, late.catch(() => undefined)]).finally(() => {
      isOver = true;
      over.abort();
    });
  };

  const accept = (one: JobFunction, event: JobEvent) => {
    const key = event.id === undefined ? undefined : `${one.id} ${event.id}`;
    if (key !== undefined && unfinished.has(key)) return;
    if (key !== undefined) unfinished.add(key);
    const runOnce = () => run(one, event).finally(() => key !== undefined && unfinished.delete(key));
    const begin = () => flow.admit(one, event, runOnce);
    if (event.ts !== undefined && event.ts > clock().now()) agenda.add(event.ts, begin);
    else begin();
  };

  const schedule = (one: JobFunction, cron: string) => {
    const at = nextTick(cron, clock().now());
    if (at === null) return;
    agenda.add(at, () => {
      accept(one, { name: TICK, data: { cron } });
      schedule(one, cron);
    });
  };
  for (const one of functions) {
    for (const trigger of one.triggers) if ("cron" in trigger) schedule(one, trigger.cron);
  }

  return {
    start(missed) {
      agenda.start();
      for (const one of missed) accept(one, { name: TICK });
    },
    send(event) {
      if (isStopping) return;
      for (const one of functions) if (isTriggered(one, event)) accept(one, event);
    },
    async stop(graceMs = STOP_WITHIN_MS) {
      isStopping = true;
      agenda.stop();
      const over = new AbortController();
      const late = wait(graceMs, "late", { ref: false, signal: over.signal }).catch(() => "late");
      while (working > 0 && (await Promise.race([nextMove(), late])) !== "late");
      over.abort();
    },
    async settle() {
      while (agenda.ring() || working > 0) if (working > 0) await nextMove();
    },
  };

  function nextMove(): Promise<void> {
    return new Promise((resolve) => {
      moved = resolve;
    });
  }
}

function isTriggered({ triggers }: JobFunction, { name }: JobEvent): boolean {
  return triggers.some((trigger) => "event" in trigger && trigger.event === name);
}

function isAway(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === "connection_lost" || fault === "no_connection_left";
}

/** Gives a step's result the form in which an Inngest server returns it. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(JSON.stringify(value));
}

function nameOf(thrown: unknown): string {
  return errorName(thrown instanceof StepFailed ? thrown.cause : thrown);
}
