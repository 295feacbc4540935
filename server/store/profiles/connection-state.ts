import type { Connection, Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { putSignal, type Signal } from "@/server/store/channels/outbox";
import { lockAccountOfProfile, markDisconnected } from "@/server/store/profiles/profiles.sql";
import { suspendWrites } from "@/server/store/provider-writes/transitions";

/**
 * Marks a profile as one that the user must reconnect, and notifies the account's channels ("Profile, connected: provider refuses
 * access or password revoked"). Its waiting writes are suspended. Returns false, and notifies nobody, when it was disconnected already
 * or no longer exists.
 */
export function disconnectProfile(db: Database, profileId: string): Promise<boolean> {
  return changeState(db, { kind: "profile_disconnected", profileId }, async ({ query, prisma }) => {
    // First, as a revocation does: a disconnection locks the profile before its calendars, a revocation after them.
    await run(query, lockAccountOfProfile, [profileId]);
    const [profile] = await run(query, markDisconnected, [profileId, databaseTime()]);
    // Without credentials they cannot be stopped, but their notices no longer have an effect.
    if (profile) await prisma.providerWatch.deleteMany({ where: { profileId } });
    if (profile) await suspendWrites(query, profileId);
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
