import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { staffInput } from "@/server/services/input";
import type { AccountOrder } from "@/server/services/staff/accounts/account-order";
import { type AccountSearch, accountCount, accountPage } from "@/server/services/staff/accounts/accounts.sql";
import { namedDelivery } from "@/server/services/staff/deliveries/names";
import { type AccountRow, accountList } from "@/server/services/staff/lists/accounts";
import { applicationWithClientId } from "@/server/services/staff/lists/client-id";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import type { FilterValues } from "@/server/services/staff/lists/list";
import { meaningOf } from "@/server/services/staff/lists/meaning";
import {
  type Count,
  cappedCount,
  expectOrder,
  type Page,
  type PartCursor,
  pageOf,
  paging,
  sorting,
} from "@/server/services/staff/lists/paging";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const filters = filterInput(accountList.filters);

/** The parts of the list with disconnected accounts first. */
const PARTS = [true, false] as const;

/** Lists a page of accounts, the newest first unless sorted. Throws invalid. */
export const listAccounts = scopedProcedure
  .input(
    staffInput(
      z.object({ ...filters, ...paging("acc", { parts: PARTS.length }), ...sorting(accountList.sorts) }).prefault({}),
    ),
  )
  .query(async ({ input: { after, limit, sort, ...given }, ctx }): Promise<Page<AccountRow>> => {
    expectOrder({ after, sort }, accountList.sorts);
    const search = await searchOf(ctx, given);
    if (search === null) return { items: [], next: null };
    const reading = { search, after, most: limit + 1 };
    const rows =
      sort === "disconnected" ? await readParts(ctx.db.query, reading) : await readIn(ctx.db.query, sort, reading);
    return pageOf(rows, {
      limit,
      place: ({ createdAt, id, part }) => ({ at: createdAt, id, ...(sort !== "newest" && { sort, part }) }),
      item: ({ part: _, ...row }) => accountRow(row),
    });
  });

interface Reading {
  search: AccountSearch;
  after: PartCursor | undefined;
  most: number;
}

type PartRow = AccountRow & { part: number };

async function readIn(query: Query, order: AccountOrder, { search, after, most }: Reading): Promise<PartRow[]> {
  const rows = await runComposed(query, accountPage, { ...search, after, order, limit: most });
  return rows.map((row) => ({ ...row, part: 0 }));
}

/** Reads disconnected accounts, which an index of their own finds, and then the others, until there are enough. */
async function readParts(query: Query, { search, after, most }: Reading): Promise<PartRow[]> {
  const rows: PartRow[] = [];
  const first = after?.part ?? 0;
  for (const [part, disconnected] of PARTS.entries()) {
    if (part < first || rows.length >= most || (search.disconnected ?? disconnected) !== disconnected) continue;
    const place = after && part === first ? { after } : {};
    const input = { ...search, ...place, disconnected, limit: most - rows.length };
    rows.push(...(await runComposed(query, accountPage, input)).map((row) => ({ ...row, part })));
  }
  return rows;
}

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
