import { z } from "zod";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { staffInput } from "@/server/services/input";
import { MEASURED_HOURS } from "@/server/services/staff/channels/attempts.sql";
import { endpointCount, endpointPage, type StoredEndpoint } from "@/server/services/staff/endpoints/endpoints.sql";
import { narrowEndpoints } from "@/server/services/staff/endpoints/narrow";
import { type EndpointRow, type EndpointState, endpointList } from "@/server/services/staff/lists/endpoints";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { type Count, cappedCount, type Page, pageOf, paging } from "@/server/services/staff/lists/paging";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { lastHours } from "@/server/store/deliveries/days";

const filters = filterInput(endpointList.filters);

/** Lists endpoints with their health, the newest first. Throws invalid. */
export const listEndpoints = scopedProcedure
  .input(staffInput(z.object({ ...filters, ...paging("chn") }).prefault({})))
  .query(async ({ ctx: { db, now, scope }, input: { after, limit, ...given } }): Promise<Page<EndpointRow>> => {
    const search = await narrowEndpoints(db.query, given, scope.applications);
    if (search === null) return { items: [], next: null };
    const rows = await runComposed(db.query, endpointPage, {
      ...{ ...search, ...(after && { after }), limit: limit + 1 },
      measured: lastHours(now, MEASURED_HOURS),
    });
    return pageOf(rows, { limit, place: ({ placeAt, id }) => ({ at: placeAt, id }), item: endpointRow });
  });

/** Counts matching endpoints, up to 10,000. Throws invalid. */
export const countEndpoints = scopedProcedure
  .input(staffInput(z.object(filters).prefault({})))
  .query(async ({ ctx: { db, scope }, input }): Promise<Count> => {
    const search = await narrowEndpoints(db.query, input, scope.applications);
    if (search === null) return cappedCount(0);
    const { count } = await runComposedOne(db.query, endpointCount, search);
    return cappedCount(count);
  });

export function endpointRow(row: StoredEndpoint): EndpointRow {
  const {
    callbackUrl,
    placeAt: _,
    failing: __,
    createdAt,
    closedAt,
    pausedAt,
    failingSince,
    attempts,
    successes,
    ...rest
  } = row;
  const { failedAt, failedStatus, failedError, ...kept } = rest;
  return {
    ...kept,
    state: stateOf(row),
    endpoint: endpointOf(callbackUrl),
    createdAt: createdAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    pausedAt: pausedAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    attempts24h: attempts,
    successRate24h: attempts === 0 ? null : successes / attempts,
    lastFailure: failedAt && { at: failedAt.toISOString(), status: failedStatus, error: failedError },
  };
}

function stateOf({ closedAt, pausedAt, failing }: StoredEndpoint): EndpointState {
  if (closedAt !== null) return "closed";
  if (pausedAt !== null) return "paused";
  return failing ? "failing" : "active";
}
