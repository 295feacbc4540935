import { z } from "zod";

import { runComposed } from "@/server/db/composed";
import { shownFilters } from "@/server/domain/channels/notification";
import { text } from "@/server/services/fields";
import { channelPage, type StoredChannel } from "@/server/services/staff/channels/channels.sql";
import type { ChannelRow } from "@/server/services/staff/channels/shapes";
import { type Page, pageOf, paging } from "@/server/services/staff/lists/paging";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { staffProcedure } from "@/server/services/staff/procedure/trpc";

const word = text({ min: 1, max: 600 });
const filters = { account: word.optional(), application: word.optional(), open: z.boolean().optional() };

/** Channels, the newest first. Throws invalid. */
export const listChannels = staffProcedure
  .input(staffInput(z.object({ ...filters, ...paging("chn") })))
  .query(async ({ ctx, input: { account, application, open, after, limit } }): Promise<Page<ChannelRow>> => {
    const search = { account, application, open, after, limit: limit + 1 };
    const rows = await runComposed(ctx.db.query, channelPage, search);
    return pageOf(rows, { limit, place: ({ placeAt, id }) => ({ at: placeAt, id }), item: channelOf });
  });

export function channelOf(row: StoredChannel): ChannelRow {
  const { id, callbackUrl, accountId, applicationId, applicationName, createdAt, closedAt, closedBy } = row;
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
  };
}
