import { z } from "zod";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { lastHours } from "@/server/db/delivery-days";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { type EndpointState, endpointList } from "@/server/domain/staff-lists";
import { MEASURED_HOURS } from "@/server/services/staff/channels/attempts.sql";
import { endpointCount, endpointPage, type StoredEndpoint } from "@/server/services/staff/endpoints/endpoints.sql";
import { narrowEndpoints } from "@/server/services/staff/endpoints/narrow";
import type { EndpointRow } from "@/server/services/staff/endpoints/shapes";
import { filterInput } from "@/server/services/staff/lists/filter-input";
import { type Count, counted, type Page, pageOf, paging } from "@/server/services/staff/lists/paging";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const filters = filterInput(endpointList);

/** Endpoints with how they do, the newest first. Throws invalid. */
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

/** How many match, up to 10,000. Throws invalid. */
export const countEndpoints = scopedProcedure
  .input(staffInput(z.object(filters).prefault({})))
  .query(async ({ ctx: { db, scope }, input }): Promise<Count> => {
    const search = await narrowEndpoints(db.query, input, scope.applications);
    if (search === null) return counted(0);
    const { count } = await runComposedOne(db.query, endpointCount, search);
    return counted(count);
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
