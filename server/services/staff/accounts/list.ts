import { z } from "zod";
import type { Query } from "@/server/db/client";
import { type Binding, binding } from "@/server/db/composed";
import { queryOne } from "@/server/db/query-one";
import { text } from "@/server/services/fields";
import { searched } from "@/server/services/staff/accounts/searched";
import type { AccountRow } from "@/server/services/staff/accounts/shapes";
import {
  type Count,
  counted,
  MOST_COUNTED,
  type PageCursor,
  pageOf,
  paging,
  placeTime,
} from "@/server/services/staff/paging";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

const filters = {
  /** An id (of an account, profile or calendar), or the beginning of an email address or application_calendar_id. */
  q: text({ min: 1, max: 320 }).optional(),
  application: text({ min: 1, max: 100 }).optional(),
  /** true: only accounts with a profile that is disconnected. */
  disconnected: z.boolean().optional(),
  /** true: only revoked ones; false: only those that are not. */
  revoked: z.boolean().optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

/** A page of accounts, the newest first. Throws invalid. */
export const listAccounts = staffProcedure
  .input(staffInput(z.object({ ...filters, ...paging("acc") }).prefault({})))
  .query(async ({ input: { after, limit, ...given }, ctx }) => {
    const bound = binding();
    const rows = await readAccounts(ctx.db.query, conditions(given, bound, after), { bound, limit: limit + 1 });
    return pageOf(rows, { limit, place: ({ createdAt, id }) => ({ at: createdAt, id }), item: accountRow });
  });

/** How many match, up to 10,000. Throws invalid. */
export const countAccounts = staffProcedure
  .input(staffInput(z.object(filters).prefault({})))
  .query(async ({ input, ctx }): Promise<Count> => {
    const bound = binding();
    const found = await queryOne<{ count: number }>(
      ctx.db.query,
      `SELECT count(*)::int AS count FROM (SELECT FROM accounts ${conditions(input, bound)} LIMIT ${MOST_COUNTED + 1}) a`,
      bound.values,
    );
    return counted(found.count);
  });

/** Accounts as the list shows them; `createdAt` is to the microsecond. */
export async function readAccounts(
  query: Query,
  where: string,
  { bound, limit }: { bound: Binding; limit: number },
): Promise<AccountRow[]> {
  return await query<AccountRow>(
    `SELECT a.id, a.kind::text AS kind, a.application_calendar_id AS "applicationCalendarId", a.name, a.email,
  a.application_id AS "applicationId", p.name AS "applicationName", ${placeTime("a.created_at")} AS "createdAt",
  ${placeTime("a.revoked_at")} AS "revokedAt",
  (SELECT count(*)::int FROM profiles WHERE account_id = a.id) AS "profileCount",
  (SELECT count(*)::int FROM profiles WHERE account_id = a.id AND NOT connected) AS "disconnectedCount",
  (SELECT count(*)::int FROM calendars WHERE account_id = a.id AND NOT deleted) AS "calendarCount",
  (SELECT count(*)::int FROM provider_writes WHERE account_id = a.id AND refused_at IS NOT NULL) AS "refusedCount"
FROM (SELECT * FROM accounts ${where} ORDER BY created_at DESC, id DESC LIMIT ${limit}) a
JOIN applications p ON p.id = a.application_id ORDER BY a.created_at DESC, a.id DESC`,
    bound.values,
  );
}

export function accountRow(row: AccountRow): AccountRow {
  const time = (at: string) => new Date(at).toISOString();
  return { ...row, createdAt: time(row.createdAt), revokedAt: row.revokedAt === null ? null : time(row.revokedAt) };
}

function conditions({ q, application, disconnected, revoked }: Filters, bound: Binding, after?: PageCursor): string {
  const { put } = bound;
  const disconnects = "id IN (SELECT account_id FROM profiles WHERE NOT connected)";
  const all = [
    ...(q === undefined ? [] : [searched(q, bound)]),
    ...(application === undefined ? [] : [`application_id = ${put(application)}`]),
    ...(disconnected === undefined ? [] : [disconnected ? disconnects : `NOT ${disconnects}`]),
    ...(revoked === undefined ? [] : [`revoked_at IS ${revoked ? "NOT NULL" : "NULL"}`]),
    ...(after ? [`(created_at, id) < (${put(after.at)}::timestamptz, ${put(after.id)})`] : []),
  ];
  return all.length === 0 ? "" : `WHERE ${all.join(" AND ")}`;
}
