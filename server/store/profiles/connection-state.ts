import type { Connection, Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import type { DelegationReason } from "@/server/domain/trouble/reasons";
import { putSignal, type Signal } from "@/server/store/channels/outbox";
import { lockAccountOfProfile, markDisconnected } from "@/server/store/profiles/profiles.sql";
import { suspendWrites } from "@/server/store/provider-writes/transitions";

/**
 * Marks a profile as one that the user must reconnect, and notifies the account's channels ("Profile, connected: provider refuses
 * access or password revoked"). Its waiting writes are suspended. `reason`: what happened to the organization's access that opens
 * it; a sync in progress then loses its lease, so that its end says nothing else. Returns false, and notifies nobody, when it was
 * disconnected already or no longer exists.
 */
export function disconnectProfile(db: Database, profileId: string, reason?: DelegationReason): Promise<boolean> {
  return changeState(db, { kind: "profile_disconnected", profileId }, async ({ query, prisma }) => {
    // First, as a revocation does: a disconnection locks the profile before its calendars, a revocation after them.
    await run(query, lockAccountOfProfile, [profileId]);
    const [profile] = await run(query, markDisconnected, [profileId, databaseTime()]);
    // Without credentials they cannot be stopped, but their notices no longer have an effect.
    if (profile) await prisma.providerWatch.deleteMany({ where: { profileId } });
    if (profile) await suspendWrites(query, profileId);
    const ended = { syncError: reason, syncLease: null, syncLeasedUntil: null, syncDueAt: null };
    if (profile && reason) await prisma.profileSync.updateMany({ where: { profileId }, data: ended });
    return profile?.accountId;
  });
}

/**
 * Marks a profile's first sync as finished, and notifies the account's channels ("Profile, initial sync required: first sync
 * finishes"). Returns false, and notifies nobody, when it was finished already or the profile no longer exists.
 */
export function completeInitialSync(db: Database, profileId: string): Promise<boolean> {
  return changeState(db, { kind: "profile_initial_sync_completed", profileId }, async ({ prisma }) => {
    const [profile] = await prisma.profile.updateManyAndReturn({
      select: { accountId: true },
      where: { id: profileId, initialSyncRequired: true },
      data: { initialSyncRequired: false },
    });
    return profile?.accountId;
  });
}

/** Changes a profile's state. `change` returns the account of the profile; undefined: the profile was not changed. */
async function changeState(
  db: Database,
  { kind, profileId }: { kind: Signal["kind"]; profileId: string },
  change: (connection: Connection) => Promise<string | undefined>,
): Promise<boolean> {
  const isChanged = await db.transaction(async (query, prisma) => {
    const accountId = await change({ query, prisma });
    if (accountId === undefined) return false;
    await putSignal(query, { kind, accountId, subject: profileId, payload: {} });
    return true;
  });
  if (isChanged) wake("notify");
  return isChanged;
}
