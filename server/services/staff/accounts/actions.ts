import { z } from "zod";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { isConnected, makeSyncDue } from "@/server/services/staff/accounts/accounts.sql";
import { audit, runAudited } from "@/server/services/staff/audit/audit";
import { adminProcedure, scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { revokeWithin } from "@/server/store/accounts/revoke-account";
import { retryWrite as retry } from "@/server/store/provider-writes/transitions";

const id = text({ min: 1, max: 100 });

/**
 * Retries an event's write to its provider that was refused or is pending. Throws not_found, also for a reverted one,
 * and conflict while its profile is disconnected.
 */
export const retryWrite = scopedProcedure.input(staffInput(z.object({ id }))).mutation(async ({ input, ctx }) => {
  if (!/^\d{1,18}$/.test(input.id)) throw new Refusal({ kind: "not_found" });
  await ctx.scope.expect("write", input.id);
  await ctx.db.transaction(async (query, prisma) => {
    const write = await retry(query, input.id);
    const [profile] = write ? await run(query, isConnected, [write.calendarId]) : [];
    if (write && !profile?.connected) {
      throw new Refusal({ kind: "conflict", text: "This profile is disconnected. The user must reconnect first." });
    }
    if (!write) throw new Refusal({ kind: "not_found" });
    const { accountId, calendarId, wasRefused } = write;
    await audit(prisma, ctx, {
      action: "write.retried",
      object: accountId,
      detail: { write: input.id, calendarId, wasRefused },
    });
  });
  wake("push");
});

/** Syncs a profile from its provider now. Throws not_found, and conflict for one that is not connected to a provider. */
export const syncNow = scopedProcedure
  .input(staffInput(z.object({ profileId: id })))
  .mutation(async ({ input, ctx }) => {
    await ctx.scope.expect("profile", input.profileId);
    await ctx.db.transaction(async (query, prisma) => {
      const [profile] = await run(query, makeSyncDue, [input.profileId, databaseTime()]);
      if (!profile) throw new Refusal({ kind: "not_found" });
      if (!profile.isSynced) {
        throw new Refusal({ kind: "conflict", text: "This profile isn’t connected to a provider." });
      }
      await audit(prisma, ctx, {
        action: "profile.synced",
        object: profile.accountId,
        detail: { profileId: input.profileId },
      });
    });
    wake("sync");
  });

/** Ends a calendar's feed, as DELETE /v1/calendars/{calendar_id}/feeds/{feed_id} does. Throws not_found. */
export const endFeed = scopedProcedure.input(staffInput(z.object({ id }))).mutation(async ({ input, ctx }) => {
  await ctx.scope.expectExisting("feed", input.id);
  const feed = await ctx.db.prisma.calendarFeed.findUnique({
    select: { calendarId: true, detail: true, calendar: { select: { accountId: true } } },
    where: { id: input.id },
  });
  if (!feed) throw new Refusal({ kind: "not_found" });
  const { calendarId, detail, calendar } = feed;
  const isEnded = await runAudited(ctx, ctx.db.prisma.calendarFeed.delete({ where: { id: input.id } }), {
    action: "feed.ended",
    object: calendar.accountId,
    detail: { feedId: input.id, calendarId, detail },
  });
  if (!isEnded) throw new Refusal({ kind: "not_found" });
});

/** Ends an account's grant as POST /oauth/token/revoke does. Throws not_found, and conflict for one that is revoked already. */
export const revoke = adminProcedure.input(staffInput(z.object({ id }))).mutation(async ({ input, ctx }) => {
  const account = await ctx.db.prisma.account.findUnique({ select: { applicationId: true }, where: { id: input.id } });
  if (!account) throw new Refusal({ kind: "not_found" });
  await ctx.db.transaction(async (query, prisma) => {
    if (!(await revokeWithin({ query, prisma }, input.id, ctx.now))) {
      throw new Refusal({ kind: "conflict", text: "This account is already revoked." });
    }
    await audit(prisma, ctx, { action: "account.revoked", object: input.id, detail: account });
  });
});
