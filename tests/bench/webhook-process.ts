import { type Forked, forked } from "@/tests/bench/forked";
import type { Causes } from "@/tests/bench/webhook-causes";

export interface Worker extends Forked {
  ask<Answer>(causes?: Causes): Promise<Answer>;
}

/** The database, and the receivers that may be posted to. */
export interface Ground {
  url: string;
  receivers: { origins: readonly string[] };
}

/** A process of its own for one of the tasks of webhook-worker.ts. */
export function startWorker({ url, receivers }: Ground, task: string): Worker {
  return forked("webhook-worker.mjs", [task], {
    DATABASE_URL: url,
    CALLBACK_ALLOWED_ORIGINS: receivers.origins.join(","),
  });
}

/** A process of its own that is bare-sender.ts, on a database with the table of bare-due.ts. */
export function startBareSender(url: string): Worker {
  return forked("bare-sender.mjs", [], { DATABASE_URL: url });
}
