import { shownFilters } from "@/server/domain/channels/notification";
import { refuseRevoked } from "@/server/services/living-account";
import { accountProcedure } from "@/server/services/trpc";

/** Lists the open channels, the oldest first, without their secrets (GET /v1/channels). */
export const listChannels = accountProcedure.query(async ({ ctx }) => {
  const rows = await ctx.db.prisma.channel.findMany({
    where: { accountId: ctx.bearer.accountId, closedAt: null, ofTrigger: false },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, callbackUrl: true, calendarIds: true, allCalendars: true, onlyManaged: true },
  });
  if (rows.length === 0) await refuseRevoked(ctx.db, ctx.bearer.accountId);
  return {
    channels: rows.map(({ id, callbackUrl, calendarIds, allCalendars, onlyManaged }) => ({
      channel_id: id,
      callback_url: callbackUrl,
      filters: shownFilters({ calendarIds: allCalendars ? null : calendarIds, onlyManaged }),
    })),
  };
});
