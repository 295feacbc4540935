import { z } from "zod";
import { staffInput } from "@/server/services/input";
import { cappedCount, pageOf, paging } from "@/server/services/staff/lists/paging";
import type { RequestRow } from "@/server/services/staff/lists/requests";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { requestFilters } from "@/server/services/staff/requests/filters";
import { searchedConditions } from "@/server/services/staff/requests/owners";
import { countRequests, findRequests, type StoredRequestRow } from "@/server/services/staff/requests/search";
import type { RequestPulse } from "@/server/services/staff/requests/shapes";

const PULSE_MICROS = 60 * 60 * 1_000_000;
const MICROS_IN_MS = 1_000;

/** Lists a page of the request log, newest first. Throws invalid. */
export const listRequests = scopedProcedure
  .input(staffInput(z.object({ ...requestFilters, ...paging("uuid") }).prefault({})))
  .query(async ({ input: { after, limit, ...filters }, ctx }) => {
    const conditions = await searchedConditions(ctx.db.query, filters, ctx.scope.applications);
    if (conditions === null) return { items: [], next: null };
    const search = { conditions, now: ctx.now, after };
    const rows = await findRequests(ctx.db.query, search, limit + 1);
    return pageOf(rows, { limit, place: ({ at, id }) => ({ at, id }), item: requestRow });
  });

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
