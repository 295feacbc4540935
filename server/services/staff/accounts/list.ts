import { z } from "zod";
import type { Database } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { staffInput } from "@/server/services/input";
import { type AccountSearch, accountCount, accountPage } from "@/server/services/staff/accounts/accounts.sql";
import { namedDelivery } from "@/server/services/staff/deliveries/names";
import { type AccountRow, accountList } from "@/server/services/staff/lists/accounts";
import { applicationWithClientId } from "@/server/services/staff/lists/client-id";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import type { FilterValues } from "@/server/services/staff/lists/list";
import { meaningOf } from "@/server/services/staff/lists/meaning";
import { type Count, cappedCount, pageOf, paging } from "@/server/services/staff/lists/paging";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const filters = filterInput(accountList.filters);

/** Lists a page of accounts, the newest first. Throws invalid. */
export const listAccounts = scopedProcedure
  .input(staffInput(z.object({ ...filters, ...paging("acc") }).prefault({})))
  .query(async ({ input: { after, limit, ...given }, ctx }) => {
    const search = await searchOf(ctx, given);
    if (search === null) return { items: [], next: null };
    const rows = await runComposed(ctx.db.query, accountPage, { ...search, after, limit: limit + 1 });
    return pageOf(rows, { limit, place: ({ createdAt, id }) => ({ at: createdAt, id }), item: accountRow });
  });

/** Counts matching accounts, up to 10,000. Throws invalid. */
export const countAccounts = scopedProcedure
  .input(staffInput(z.object(filters).prefault({})))
  .query(async ({ input, ctx }): Promise<Count> => {
    const search = await searchOf(ctx, input);
    if (search === null) return cappedCount(0);
    const counted = await runComposedOne(ctx.db.query, accountCount, search);
    return cappedCount(counted.count);
  });

interface Reader {
  db: Database;
  scope: Scope;
}

/** Resolves a search: a client ID means the accounts of its application, and a delivery its account. Null: nothing can match. */
async function searchOf(
  { db, scope }: Reader,
  given: FilterValues<typeof accountList.filters>,
): Promise<AccountSearch | null> {
  const within = scope.applications ?? undefined;
  const { q, ...others } = given;
  const meaning = q === undefined ? null : meaningOf(q);
  if (meaning?.isWholeId && meaning.prefix === "whd") {
    const delivery = await namedDelivery(db.query, meaning.text, scope.applications);
    return delivery && { ...others, id: delivery.accountId, within };
  }
  const searched = meaning === null ? undefined : await applicationWithClientId(db.query, meaning, scope.applications);
  if (searched === undefined) return { ...given, within };
  const { application = searched } = others;
  return application === searched ? { ...others, application, within } : null;
}

/** Formats a row with `createdAt` and `revokedAt` to the millisecond. */
export function accountRow(row: AccountRow): AccountRow {
  const time = (at: string) => new Date(at).toISOString();
  return { ...row, createdAt: time(row.createdAt), revokedAt: row.revokedAt === null ? null : time(row.revokedAt) };
}
