import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { Delegation } from "@/server/store/delegations/delegations";
import { wakeProfile } from "@/server/store/profiles/connected-profile";
import { disconnectProfile } from "@/server/store/profiles/connection-state";
import { lockAccountOfProfile } from "@/server/store/profiles/profiles.sql";
import { dropProviderToken } from "@/server/store/profiles/provider-tokens";
import { reconnectProfile, withdrawDelegation } from "@/server/store/profiles/withdrawal.sql";
import { resumeWrites } from "@/server/store/provider-writes/transitions";

/**
 * Notes that the provider refuses a delegation, and disconnects every profile that it opened, for this one reason. Does
 * nothing, and returns false, if its key was replaced since. A profile that a process ends before it was disconnected is
 * disconnected when it is read next.
 */
export async function withdraw(db: Database, { id, sealed }: Pick<Delegation, "id" | "sealed">): Promise<boolean> {
  const [withdrawn] = await run(db.query, withdrawDelegation, [id, sealed, databaseTime()]);
  if (withdrawn) await disconnectAll(db, id, "delegation_withdrawn");
  return withdrawn !== undefined;
}

/** Disconnects every profile that a delegation opened. */
export async function disconnectAll(
  db: Database,
  delegationId: string,
  reason: "delegation_withdrawn" | "delegation_removed",
): Promise<void> {
  const profiles = await db.prisma.profile.findMany({ select: { id: true }, where: { delegationId, connected: true } });
  for (const { id } of profiles) await disconnectProfile(db, id, reason);
}

/**
 * Notes that the provider accepts a delegation again, and connects the profiles that its withdrawal disconnected.
 * Nobody has to authorize them again. Returns how many there were.
 */
export async function restore(db: Database, id: string): Promise<number> {
  await db.prisma.delegation.updateMany({ where: { id }, data: { withdrawnAt: null } });
  const profiles = await db.prisma.profile.findMany({
    select: { id: true },
    where: { delegationId: id, connected: false, sync: { syncError: "delegation_withdrawn" } },
  });
  for (const profile of profiles) {
    await db.transaction(async (query, prisma) => {
      await run(query, lockAccountOfProfile, [profile.id]);
      await dropProviderToken({ query, prisma }, profile.id);
      await run(query, reconnectProfile, [profile.id, databaseTime()]);
      await resumeWrites(query, profile.id);
    });
  }
  if (profiles.length > 0) wakeProfile();
  return profiles.length;
}
