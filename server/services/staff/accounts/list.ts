import { z } from "zod";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { text } from "@/server/services/fields";
import { accountCount, accountPage } from "@/server/services/staff/accounts/accounts.sql";
import type { AccountRow } from "@/server/services/staff/accounts/shapes";
import { type Count, counted, pageOf, paging } from "@/server/services/staff/lists/paging";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { staffProcedure } from "@/server/services/staff/procedure/trpc";

const filters = {
  /** An id (of an account, profile or calendar), or the beginning of an email address or application_calendar_id. */
  q: text({ min: 1, max: 320 }).optional(),
  application: text({ min: 1, max: 100 }).optional(),
  /** true: only accounts with a profile that is disconnected. */
  disconnected: z.boolean().optional(),
  /** true: only revoked ones; false: only those that are not. */
  revoked: z.boolean().optional(),
};

/** A page of accounts, the newest first. Throws invalid. */
export const listAccounts = staffProcedure
  .input(staffInput(z.object({ ...filters, ...paging("acc") }).prefault({})))
  .query(async ({ input: { after, limit, ...given }, ctx }) => {
    const rows = await runComposed(ctx.db.query, accountPage, { ...given, after, limit: limit + 1 });
    return pageOf(rows, { limit, place: ({ createdAt, id }) => ({ at: createdAt, id }), item: accountRow });
  });

/** How many match, up to 10,000. Throws invalid. */
export const countAccounts = staffProcedure
  .input(staffInput(z.object(filters).prefault({})))
  .query(async ({ input, ctx }): Promise<Count> => {
    const found = await runComposedOne(ctx.db.query, accountCount, input);
    return counted(found.count);
  });

/** `createdAt` and `revokedAt` to the millisecond. */
export function accountRow(row: AccountRow): AccountRow {
  const time = (at: string) => new Date(at).toISOString();
  return { ...row, createdAt: time(row.createdAt), revokedAt: row.revokedAt === null ? null : time(row.revokedAt) };
}
