import { z } from "zod";
import { binding } from "@/server/db/composed";
import { shownFilters } from "@/server/domain/channels/notification";
import { text } from "@/server/services/fields";
import type { ChannelRow } from "@/server/services/staff/channels/shapes";
import { type Page, pageOf, paging, placeTime } from "@/server/services/staff/paging";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

export interface StoredChannel {
  id: string;
  callbackUrl: string;
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
  accountId: string;
  applicationId: string;
  applicationName: string | null;
  createdAt: Date;
  placeAt: string;
  closedAt: Date | null;
  closedBy: string | null;
}

export const channelColumns = `c.id, c.callback_url AS "callbackUrl", CASE WHEN NOT c.all_calendars THEN c.calendar_ids END AS "calendarIds",
c.only_managed AS "onlyManaged", c.account_id AS "accountId", a.application_id AS "applicationId", p.name AS "applicationName",
c.created_at AS "createdAt", ${placeTime("c.created_at")} AS "placeAt", c.closed_at AS "closedAt", c.closed_by AS "closedBy"`;

export const channelTables =
  "channels c JOIN accounts a ON a.id = c.account_id JOIN applications p ON p.id = a.application_id";

const word = text({ min: 1, max: 600 });
const filters = { account: word.optional(), application: word.optional(), open: z.boolean().optional() };

/** Channels, the newest first. Throws invalid. */
export const listChannels = staffProcedure
  .input(staffInput(z.object({ ...filters, ...paging("chn") })))
  .query(async ({ ctx, input: { account, application, open, after, limit } }): Promise<Page<ChannelRow>> => {
    const { values, put } = binding();
    const conditions = [
      ...(account === undefined ? [] : [`c.account_id = ${put(account)}`]),
      ...(application === undefined ? [] : [`a.application_id = ${put(application)}`]),
      ...(open === undefined ? [] : [`c.closed_at IS ${open ? "NULL" : "NOT NULL"}`]),
      ...(after ? [`(c.created_at, c.id) < (${put(after.at)}::timestamptz, ${put(after.id)}::text)`] : []),
      "true",
    ];
    const rows = await ctx.db.query<StoredChannel>(
      `SELECT ${channelColumns} FROM ${channelTables} WHERE ${conditions.join(" AND ")}
ORDER BY c.created_at DESC, c.id DESC LIMIT ${put(limit + 1)}::int`,
      values,
    );
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
