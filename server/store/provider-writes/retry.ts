import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { type Retried, retryStatement } from "@/server/store/provider-writes/provider-writes.sql";

/**
 * Makes a rejected or waiting write due now, with its waits starting again. Call `wake("push")` after the commit. A push in progress
 * continues. Returns null if the write does not exist or was reverted.
 */
export async function retryWrite(query: Query, id: string): Promise<Retried | null> {
  const [write] = await run(query, retryStatement, [id, databaseTime()]);
  return write ?? null;
}
