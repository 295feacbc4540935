import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import {
  lockCalendarsOfProfile,
  type RetriedWrite,
  resumeProfile,
  retryStatement,
  suspendStatement,
} from "@/server/store/provider-writes/provider-writes.sql";

/**
 * Makes a rejected or pending write due now, with its waits starting again. Call `wake("push")` after the commit. A
 * push in progress continues. Returns null if the write does not exist or was reverted.
 */
export async function retryWrite(query: Query, id: string): Promise<RetriedWrite | null> {
  const [write] = await run(query, retryStatement, [id, databaseTime()]);
  return write ?? null;
}

/**
 * Suspends the waiting writes of a profile, in the transaction that disconnects it: they wait for the user to reconnect, and no claim
 * reads them. A push in progress is finished. Rejected writes are suspended too, in case staff retry them.
 */
export async function suspendWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  await run(query, suspendStatement, [profileId]);
}

/**
 * Resumes suspended writes, in the transaction that connects the profile again. Call `wake("push")` after the commit.
 * The next sync resumes those that a process of an older version left suspended.
 */
export async function resumeWrites(query: Query, profileId: string): Promise<void> {
  await holdCalendars(query, profileId);
  await run(query, resumeProfile, [databaseTime(), profileId]);
}

/**
 * Locks the calendars, because a concurrent write checks whether the profile is connected: it is either committed
 * before this lock and found, or runs after it and sees the new state.
 */
async function holdCalendars(query: Query, profileId: string): Promise<void> {
  await run(query, lockCalendarsOfProfile, [profileId]);
}
