import { Refusal } from "@/server/services/refusal";
import type { SandboxChangeType } from "@/server/services/sandbox/change-shape";
import type { AccountContext } from "@/server/services/trpc";
import { completeInitialSync, disconnectProfile } from "@/server/store/profiles/connection-state";

/**
 * Changes of the profile of an application calendar, and of no feed. Repeating one has no effect. Throws not_found when the account
 * was revoked in the meantime.
 */
export const profileChanges: Partial<Record<SandboxChangeType, (ctx: AccountContext) => Promise<unknown>>> = {
  profile_disconnected: async (ctx) => await disconnectProfile(ctx.db, await profileOf(ctx)),
  profile_reconnected: async (ctx) => {
    await update(ctx, { connected: true, disconnectedAt: null });
    await setReads(ctx, readInTime);
    await sendWrites(ctx);
  },
  profile_delayed: async (ctx) => await setReads(ctx, { ...twiceFailed, lastSyncAt: new Date(ctx.now) }),
  profile_recovered: async (ctx) => await setReads(ctx, readInTime),
  writes_sent: sendWrites,
  initial_sync_started: async (ctx) => await update(ctx, { initialSyncRequired: true }),
  initial_sync_completed: async (ctx) => await completeInitialSync(ctx.db, await profileOf(ctx)),
};

const readInTime = { syncFailures: 0, syncError: null, lastSyncAt: null };
const twiceFailed = { syncFailures: 2, syncError: "down" };

async function setReads(ctx: AccountContext, data: typeof readInTime | (typeof twiceFailed & { lastSyncAt: Date })) {
  await ctx.db.prisma.profileSync.updateMany({ where: { profileId: await profileOf(ctx) }, data });
}

/** Sends what `Svc-Sandbox-Fault: write_pending` has held: an application calendar has it. */
async function sendWrites(ctx: AccountContext): Promise<void> {
  await ctx.db.prisma.providerWrite.deleteMany({ where: { profileId: await profileOf(ctx), refusedAt: null } });
}

async function profileOf({ db, bearer: { accountId } }: AccountContext): Promise<string> {
  const profile = await db.prisma.profile.findFirst({ where: { accountId, provider: "hosted" }, select: { id: true } });
  if (!profile) throw new Refusal({ kind: "not_found" });
  return profile.id;
}

async function update({ db, bearer: { accountId } }: AccountContext, data: object): Promise<void> {
  const { count } = await db.prisma.profile.updateMany({ where: { accountId, provider: "hosted" }, data });
  if (count === 0) throw new Refusal({ kind: "not_found" });
}
