import { z } from "zod";

import { runComposed } from "@/server/db/composed";
import { shownFilters } from "@/server/domain/channels/notification";
import { staffInput } from "@/server/services/input";
import { channelPage, type StoredChannel } from "@/server/services/staff/channels/channels.sql";
import { type ChannelRow, channelList } from "@/server/services/staff/lists/channels";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { type Page, pageOf, paging } from "@/server/services/staff/lists/paging";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Lists channels, the newest first. Throws invalid. */
export const listChannels = scopedProcedure
  .input(staffInput(z.object({ ...filterInput(channelList.filters), ...paging("chn") })))
  .query(async ({ ctx, input: { limit, ...search } }): Promise<Page<ChannelRow>> => {
    const rows = await runComposed(ctx.db.query, channelPage, {
      ...search,
      within: ctx.scope.applications ?? undefined,
      limit: limit + 1,
    });
    return pageOf(rows, { limit, place: ({ placeAt, id }) => ({ at: placeAt, id }), item: channelOf });
  });

export function channelOf(row: StoredChannel): ChannelRow {
  const { id, callbackUrl, accountId, applicationId, applicationName, createdAt, closedAt, closedBy, pausedAt } = row;
  return {
    id,
    callbackUrl,
    accountId,
    applicationId,
    applicationName,
    filters: shownFilters(row),
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    closedBy,
    pausedAt: pausedAt?.toISOString() ?? null,
  };
}
