import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { invalid, type Refusal } from "@/server/services/refusal";
import {
  cappedCount,
  expectOrder,
  MOST_COUNTED,
  type Page,
  pageOf,
  paging,
  sorting,
} from "@/server/services/staff/lists/paging";
import { type RequestRow, requestList } from "@/server/services/staff/lists/requests";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { requestFilters } from "@/server/services/staff/requests/filters";
import { searchedConditions } from "@/server/services/staff/requests/owners";
import {
  countRequests,
  findRequests,
  type RankedRow,
  rankRequests,
  type StoredRequestRow,
} from "@/server/services/staff/requests/search";
import type { RequestPulse } from "@/server/services/staff/requests/shapes";

const PULSE_MICROS = 60 * 60 * 1_000_000;
const MICROS_IN_MS = 1_000;

/** Lists a page of the request log, newest first unless sorted. Throws invalid. */
export const listRequests = scopedProcedure
  .input(staffInput(z.object({ ...requestFilters, ...paging("uuid"), ...sorting(requestList.sorts) }).prefault({})))
  .query(async ({ input: { after, limit, sort, ...filters }, ctx }): Promise<Page<RequestRow>> => {
    expectOrder({ after, sort }, requestList.sorts);
    const conditions = await searchedConditions(ctx.db.query, filters, ctx.scope.applications);
    if (conditions === null) return { items: [], next: null };
    const search = { conditions, now: ctx.now };
    if (sort === "newest" || sort === "oldest") {
      const isOldestFirst = sort === "oldest";
      const rows = await findRequests(ctx.db.query, { ...search, after, isOldestFirst }, limit + 1);
      const place = ({ at, id }: RequestRow) => ({ at, id, ...(isOldestFirst && { sort }) });
      return pageOf(rows, { limit, place, item: requestRow });
    }
    const from = after && { ...after, value: after.value ?? "0" };
    const ranked = await rankRequests(ctx.db.query, { search, by: sort, after: from, limit: limit + 1 });
    if (ranked === null) throw tooMany();
    const place = ({ at, id, value }: RankedRow) => ({ at, id, sort, value });
    return pageOf(ranked, { limit, place, item: ({ value: _, ...row }) => requestRow(row) });
  });

function tooMany(): Refusal {
  const description = `sort covers at most ${MOST_COUNTED.toLocaleString("en")} requests, and more match. Choose a shorter time range, or add a filter`;
  return invalid({ path: ["sort"], key: "errors.invalid", description });
}

/** Counts matching requests, up to 10,000. Throws invalid. */
export const countOfRequests = scopedProcedure
  .input(staffInput(z.object(requestFilters).prefault({})))
  .query(async ({ input, ctx }) => {
    const conditions = await searchedConditions(ctx.db.query, input, ctx.scope.applications);
    return cappedCount(conditions === null ? 0 : await countRequests(ctx.db.query, { conditions, now: ctx.now }));
  });

/** Returns a value that changes when there is anything newer, for a page that polls. */
export const requestsPulse = scopedProcedure
  .input(staffInput(z.object(requestFilters).prefault({})))
  .query(async ({ input, ctx }): Promise<RequestPulse> => {
    const conditions = await searchedConditions(ctx.db.query, input, ctx.scope.applications);
    if (conditions === null) return { newest: null };
    const recent = ctx.now * MICROS_IN_MS - PULSE_MICROS;
    const search = { conditions: { ...conditions, from: Math.max(conditions.from ?? recent, recent) }, now: ctx.now };
    const [newest] = await findRequests(ctx.db.query, search, 1);
    return { newest: newest?.id ?? null };
  });

/** Formats a row for the response: the log's times are in milliseconds. */
export function requestRow({ at, ...row }: StoredRequestRow): RequestRow {
  return { ...row, at: new Date(at).toISOString() };
}
