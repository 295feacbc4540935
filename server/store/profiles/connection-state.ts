import type { Database, Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { putSignal, type Signal } from "@/server/store/channels/outbox";
import {
  forgetWatches,
  lockAccountOfProfile,
  markDisconnected,
  markInitialSyncCompleted,
} from "@/server/store/profiles/profiles.sql";
import { suspendWrites } from "@/server/store/provider-writes/suspend";

/**
 * Marks a profile as one that the user must reconnect, and notifies the account's channels ("Profile, connected: provider refuses
 * access or password revoked"). Its waiting writes are suspended. Returns false, and notifies nobody, when it was disconnected already
 * or no longer exists.
 */
export function disconnectProfile(db: Database, profileId: string): Promise<boolean> {
  return changeState(db, { kind: "profile_disconnected", profileId }, async (query) => {
    // First, as a revocation does: a disconnection locks the profile before its calendars, a revocation after them.
    await run(query, lockAccountOfProfile, [profileId]);
    const [profile] = await run(query, markDisconnected, [profileId, databaseTime()]);
    if (profile) await run(query, forgetWatches, [profileId]);
    if (profile) await suspendWrites(query, profileId);
    return profile?.accountId;
  });
}

/**
 * Marks a profile's first sync as finished, and notifies the account's channels ("Profile, initial sync required: first sync
 * finishes"). Returns false, and notifies nobody, when it was finished already or the profile no longer exists.
 */
export function completeInitialSync(db: Database, profileId: string): Promise<boolean> {
  return changeState(db, { kind: "profile_initial_sync_completed", profileId }, async (query) => {
    const [profile] = await run(query, markInitialSyncCompleted, [profileId]);
    return profile?.accountId;
  });
}

/** `change` returns the account of the profile. Undefined: the profile was not changed. */
async function changeState(
  db: Database,
  { kind, profileId }: { kind: Signal["kind"]; profileId: string },
  change: (query: Query) => Promise<string | undefined>,
): Promise<boolean> {
  const isChanged = await db.transaction(async (query) => {
    const accountId = await change(query);
    if (accountId === undefined) return false;
    await putSignal(query, { kind, accountId, subject: profileId, payload: {} });
    return true;
  });
  if (isChanged) wake("notify");
  return isChanged;
}
