import { Refusal } from "@/server/services/refusal";
import type { SandboxChangeType } from "@/server/services/sandbox/change-shape";
import type { AccountContext } from "@/server/services/trpc";
import { completeInitialSync, disconnectProfile } from "@/server/store/profiles/connection-state";

/**
 * Changes of the one profile of an application calendar. Repeating one has no effect. Throws not_found when the account
 * was revoked in the meantime.
 */
export const profileChanges: Partial<Record<SandboxChangeType, (ctx: AccountContext) => Promise<unknown>>> = {
  profile_disconnected: async (ctx) => await disconnectProfile(ctx.db, await profileOf(ctx)),
  profile_reconnected: async (ctx) => await update(ctx, { connected: true, disconnectedAt: null }),
  initial_sync_started: async (ctx) => await update(ctx, { initialSyncRequired: true }),
  initial_sync_completed: async (ctx) => await completeInitialSync(ctx.db, await profileOf(ctx)),
};

async function profileOf({ db, bearer: { accountId } }: AccountContext): Promise<string> {
  const profile = await db.prisma.profile.findFirst({ where: { accountId }, select: { id: true } });
  if (!profile) throw new Refusal({ kind: "not_found" });
  return profile.id;
}

async function update({ db, bearer: { accountId } }: AccountContext, data: object): Promise<void> {
  const { count } = await db.prisma.profile.updateMany({ where: { accountId }, data });
  if (count === 0) throw new Refusal({ kind: "not_found" });
}
