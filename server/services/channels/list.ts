import { shownFilters } from "@/server/domain/channels/notification";
import { accountProcedure } from "@/server/services/trpc";

interface ChannelRow {
  id: string;
  callbackUrl: string;
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
}

/** GET /v1/channels: `{ channels }`, the open ones, the oldest first, without their secrets. */
export const listChannels = accountProcedure.query(async ({ ctx }) => {
  const rows = await ctx.db.query<ChannelRow>(
    `SELECT id, callback_url AS "callbackUrl", CASE WHEN NOT all_calendars THEN calendar_ids END AS "calendarIds",
  only_managed AS "onlyManaged"
FROM channels WHERE account_id = $1 AND closed_at IS NULL ORDER BY created_at, id`,
    [ctx.bearer.accountId],
  );
  return {
    channels: rows.map((row) => ({
      channel_id: row.id,
      callback_url: row.callbackUrl,
      filters: shownFilters(row),
    })),
  };
});
