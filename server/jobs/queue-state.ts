import { db } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { type QueueState, queueState } from "@/server/jobs/queue-state.sql";

/** Reads how much work of each kind is due, and since when. */
export function readQueues(): Promise<QueueState[]> {
  return run(db().query, queueState, [databaseTime()]);
}
