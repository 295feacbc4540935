import { z } from "zod";
import { counted, pageOf, paging } from "@/server/services/staff/lists/paging";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { requestFilters } from "@/server/services/staff/requests/filters";
import { searchedConditions } from "@/server/services/staff/requests/owners";
import { countRequests, findRequests, type RequestRowFound } from "@/server/services/staff/requests/search";
import type { RequestPulse, RequestRow } from "@/server/services/staff/requests/shapes";

const PULSE_MICROS = 60 * 60 * 1_000_000;
const MICROS_IN_MS = 1_000;

/** A page of the request log, newest first. Throws invalid. */
export const listRequests = scopedProcedure
  .input(staffInput(z.object({ ...requestFilters, ...paging("uuid") }).prefault({})))
  .query(async ({ input: { after, limit, ...filters }, ctx }) => {
    const conditions = await searchedConditions(ctx.db.query, filters, ctx.scope.applications);
    if (conditions === null) return { items: [], next: null };
    const search = { conditions, now: ctx.now, after };
    const rows = await findRequests(ctx.db.query, search, limit + 1);
    return pageOf(rows, { limit, place: ({ at, id }) => ({ at, id }), item: requestRow });
  });

/** How many requests match, up to 10,000. Throws invalid. */
export const countOfRequests = scopedProcedure
  .input(staffInput(z.object(requestFilters).prefault({})))
  .query(async ({ input, ctx }) => {
    const conditions = await searchedConditions(ctx.db.query, input, ctx.scope.applications);
    return counted(conditions === null ? 0 : await countRequests(ctx.db.query, { conditions, now: ctx.now }));
  });

/** What a page asks now and then: whether there is anything newer. */
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

/** A row as it is returned: the log's times have milliseconds. */
export function requestRow({ at, ...row }: RequestRowFound): RequestRow {
  return { ...row, at: new Date(at).toISOString() };
}
