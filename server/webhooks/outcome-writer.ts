import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { isDatabaseTrouble, isRefusedData } from "@/server/db/faults";
import { log, moduleOutage } from "@/server/log";
import { type Outcome, storeOutcomes } from "@/server/webhooks/outcomes";
import type { Storing } from "@/server/webhooks/pace";

const RETRY_MS = 250;
/** The most attempts after an error that did not come from the database. */
const MOST_TRIES = 40;

interface Waiting {
  outcome: Outcome;
  since: number;
  resolve: () => void;
}

export interface OutcomeWriter extends Storing {
  /** Resolves when the outcome is stored, or given up. */
  store(outcome: Outcome): Promise<void>;
}

/**
 * Writes outcomes as they arrive: while one write runs the next outcomes gather, so that none waits for a timer and
 * many share a statement. While the database is unavailable, the write is retried every `retryMs`, however long that
 * lasts: what is not stored is posted again. An outcome that the database rejects leaves its delivery to the next
 * attempt.
 */
export function outcomeWriter(db: () => Database, retryMs = RETRY_MS): OutcomeWriter {
  const outage = moduleOutage("webhooks", {
    down: "Outcomes of deliveries cannot be stored: they are kept in memory",
    up: "Outcomes of deliveries are stored again",
  });
  let waiting: Waiting[] = [];
  let written: Waiting[] = [];
  let isWriting = false;
  let progressed = () => {};
  let progress = new Promise<void>((resolve) => {
    progressed = resolve;
  });
  const stored = async (outcomes: readonly Outcome[]): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await storeOutcomes(db(), outcomes, Math.random);
        return outage.recovered();
      } catch (error) {
        if (isRefusedData(error) && outcomes.length > 1) {
          for (const outcome of outcomes) await stored([outcome]);
          return;
        }
        if (isRefusedData(error) || (tries >= MOST_TRIES && !isDatabaseTrouble(error))) return giveUp(outcomes, error);
        outage.failed(error);
        await wait(retryMs, undefined, { ref: false }); // nothing else keeps an exiting process alive
      }
    }
  };
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      written = waiting;
      waiting = [];
      await stored(written.map(({ outcome }) => outcome));
      for (const { resolve } of written) resolve();
      written = [];
      progressed();
      progress = new Promise((resolve) => {
        progressed = resolve;
      });
    }
    isWriting = false;
  };
  return {
    store: (outcome) =>
      new Promise((resolve) => {
        waiting.push({ outcome, since: clock().monotonic(), resolve });
        if (!isWriting) void write();
      }),
    waitedMs: () => {
      const first = written[0] ?? waiting[0];
      return first === undefined ? 0 : clock().monotonic() - first.since;
    },
    progress: () => progress,
  };
}

function giveUp(outcomes: readonly Outcome[], error: unknown): void {
  const deliveries = outcomes.map(({ id }) => id);
  log({ module: "webhooks" }).error({ deliveries, err: error }, "what attempts came to could not be stored");
}
