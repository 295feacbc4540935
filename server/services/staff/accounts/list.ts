import { z } from "zod";
import type { Database } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { accountList, type FilterValues } from "@/server/domain/staff-lists";
import { type AccountSearch, accountCount, accountPage } from "@/server/services/staff/accounts/accounts.sql";
import type { AccountRow } from "@/server/services/staff/accounts/shapes";
import { namedDelivery } from "@/server/services/staff/deliveries/named-delivery";
import { applicationWithClientId } from "@/server/services/staff/lists/client-id";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { isWholeId } from "@/server/services/staff/lists/ids";
import { type Count, counted, pageOf, paging } from "@/server/services/staff/lists/paging";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const filters = filterInput(accountList);

/** A page of accounts, the newest first. Throws invalid. */
export const listAccounts = scopedProcedure
  .input(staffInput(z.object({ ...filters, ...paging("acc") }).prefault({})))
  .query(async ({ input: { after, limit, ...given }, ctx }) => {
    const search = await searchOf(ctx, given);
    if (search === null) return { items: [], next: null };
    const rows = await runComposed(ctx.db.query, accountPage, { ...search, after, limit: limit + 1 });
    return pageOf(rows, { limit, place: ({ createdAt, id }) => ({ at: createdAt, id }), item: accountRow });
  });

/** How many match, up to 10,000. Throws invalid. */
export const countAccounts = scopedProcedure
  .input(staffInput(z.object(filters).prefault({})))
  .query(async ({ input, ctx }): Promise<Count> => {
    const search = await searchOf(ctx, input);
    if (search === null) return counted(0);
    const found = await runComposedOne(ctx.db.query, accountCount, search);
    return counted(found.count);
  });

interface Reader {
  db: Database;
  scope: Scope;
}

/** A search for a client ID means the accounts of its application, and one for a delivery its account. Null: nothing can match. */
async function searchOf({ db, scope }: Reader, given: FilterValues<typeof accountList>): Promise<AccountSearch | null> {
  const within = scope.applications ?? undefined;
  const { q, ...others } = given;
  if (q?.startsWith("whd_") && isWholeId(q)) {
    const delivery = await namedDelivery(db.query, q, scope.applications);
    return delivery && { ...others, id: delivery.accountId, within };
  }
  const searched = q === undefined ? undefined : await applicationWithClientId(db.query, q, scope.applications);
  if (searched === undefined) return { ...given, within };
  const { application = searched } = others;
  return application === searched ? { ...others, application, within } : null;
}

/** `createdAt` and `revokedAt` to the millisecond. */
export function accountRow(row: AccountRow): AccountRow {
  const time = (at: string) => new Date(at).toISOString();
  return { ...row, createdAt: time(row.createdAt), revokedAt: row.revokedAt === null ? null : time(row.revokedAt) };
}
