import { setTimeout as wait } from "node:timers/promises";
import { clock } from "@/server/clock";
import type { Database } from "@/server/db/client";
import { isRefusedData } from "@/server/db/faults";
import { log } from "@/server/log";
import { type Outcome, storeOutcomes } from "@/server/webhooks/outcomes";
import type { Storing } from "@/server/webhooks/pace";

const RETRY_MS = 250;
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
 * Writes outcomes as they arrive: while one write runs the next outcomes gather, so that none waits for a timer and many share a
 * statement. While the database is unavailable, the write is retried. An outcome that cannot be stored leaves its delivery to the next
 * attempt.
 */
export function outcomeWriter(db: () => Database): OutcomeWriter {
  let waiting: Waiting[] = [];
  let written: Waiting[] = [];
  let isWriting = false;
  let progressed = () => {};
  let progress = new Promise<void>((resolve) => {
    progressed = resolve;
  });
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      written = waiting;
      waiting = [];
      await stored(
        db,
        written.map(({ outcome }) => outcome),
      );
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

async function stored(db: () => Database, outcomes: readonly Outcome[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await storeOutcomes(db(), outcomes, Math.random);
    } catch (error) {
      if (isRefusedData(error) && outcomes.length > 1) {
        for (const outcome of outcomes) await stored(db, [outcome]);
        return;
      }
      if (isRefusedData(error) || tries >= MOST_TRIES) return giveUp(outcomes, error);
      await wait(RETRY_MS);
    }
  }
}

function giveUp(outcomes: readonly Outcome[], error: unknown): void {
  const deliveries = outcomes.map(({ id }) => id);
  log({ module: "webhooks" }).error({ deliveries, err: error }, "what attempts came to could not be stored");
}
