import { z } from "zod";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { accountList } from "@/server/domain/staff-lists";
import { accountCount, accountPage } from "@/server/services/staff/accounts/accounts.sql";
import type { AccountRow } from "@/server/services/staff/accounts/shapes";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { type Count, counted, pageOf, paging } from "@/server/services/staff/lists/paging";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const filters = filterInput(accountList);

/** A page of accounts, the newest first. Throws invalid. */
export const listAccounts = scopedProcedure
  .input(staffInput(z.object({ ...filters, ...paging("acc") }).prefault({})))
  .query(async ({ input: { after, limit, ...given }, ctx }) => {
    const search = { ...given, within: ctx.scope.applications ?? undefined };
    const rows = await runComposed(ctx.db.query, accountPage, { ...search, after, limit: limit + 1 });
    return pageOf(rows, { limit, place: ({ createdAt, id }) => ({ at: createdAt, id }), item: accountRow });
  });

/** How many match, up to 10,000. Throws invalid. */
export const countAccounts = scopedProcedure
  .input(staffInput(z.object(filters).prefault({})))
  .query(async ({ input, ctx }): Promise<Count> => {
    const search = { ...input, within: ctx.scope.applications ?? undefined };
    const found = await runComposedOne(ctx.db.query, accountCount, search);
    return counted(found.count);
  });

/** `createdAt` and `revokedAt` to the millisecond. */
export function accountRow(row: AccountRow): AccountRow {
  const time = (at: string) => new Date(at).toISOString();
  return { ...row, createdAt: time(row.createdAt), revokedAt: row.revokedAt === null ? null : time(row.revokedAt) };
}
