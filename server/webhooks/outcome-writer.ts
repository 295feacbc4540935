import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "@/server/db/client";
import { isRefusedData } from "@/server/db/faults";
import { log } from "@/server/log";
import { type Outcome, storeOutcomes } from "@/server/webhooks/outcomes";

const RETRY_MS = 250;
const MOST_TRIES = 40;

interface Waiting {
  outcome: Outcome;
  resolve: () => void;
}

/**
 * Writes outcomes as they arrive: while one write runs the next outcomes gather, so that none waits for a timer and many share a
 * statement. While the database is unavailable, the write is retried. An outcome that cannot be stored leaves its delivery to the next
 * attempt.
 */
export function outcomeWriter(db: () => Database): (outcome: Outcome) => Promise<void> {
  let waiting: Waiting[] = [];
  let isWriting = false;
  const write = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await stored(
        db,
        batch.map(({ outcome }) => outcome),
      );
      for (const { resolve } of batch) resolve();
    }
    isWriting = false;
  };
  return (outcome) =>
    new Promise((resolve) => {
      waiting.push({ outcome, resolve });
      if (!isWriting) void write();
    });
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
