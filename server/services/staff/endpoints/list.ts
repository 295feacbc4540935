import { z } from "zod";
import type { Query } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { endpointOf } from "@/server/domain/channels/endpoint";
import { staffInput } from "@/server/services/input";
import { MEASURED_HOURS } from "@/server/services/staff/channels/attempts.sql";
import {
  endpointCount,
  endpointPage,
  type StoredEndpoint,
  sortedEndpoints,
} from "@/server/services/staff/endpoints/endpoints.sql";
import { type EndpointSearch, narrowEndpoints } from "@/server/services/staff/endpoints/narrow";
import {
  type EndpointRow,
  type EndpointSort,
  type EndpointState,
  endpointList,
} from "@/server/services/staff/lists/endpoints";
import { filterInput } from "@/server/services/staff/lists/filter-input";
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
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { lastHours } from "@/server/store/deliveries/days";

const filters = filterInput(endpointList.filters);
/** The parts of the list: whether their endpoints are failing. */
const PARTS = [true, false] as const;

/**
 * Lists endpoints with their health: failing ones first, the newest first among them and among the others, or sorted,
 * the worst first. Throws invalid.
 */
export const listEndpoints = scopedProcedure
  .input(
    staffInput(
      z.object({ ...filters, ...paging("chn", { parts: PARTS.length }), ...sorting(endpointList.sorts) }).prefault({}),
    ),
  )
  .query(async ({ ctx: { db, now, scope }, input: { after, limit, sort, ...given } }): Promise<Page<EndpointRow>> => {
    expectOrder({ after, sort }, endpointList.sorts);
    const search = await narrowEndpoints(db.query, given, scope.applications);
    if (search === null) return { items: [], next: null };
    const reading = { search, after, most: limit + 1, now };
    const isSorted = sort !== "failing";
    const rows = isSorted ? await readSorted(db.query, { ...reading, sort }) : await readParts(db.query, reading);
    return pageOf(rows, {
      limit,
      place: ({ placeAt, id, part }) => ({ at: placeAt, id, part, ...(isSorted && { sort }) }),
      item: ({ part: _, ...row }) => endpointRow(row),
    });
  });

interface PartsInput {
  search: EndpointSearch;
  after: PartCursor | undefined;
  most: number;
  now: number;
}

/** Reads the ids in their order first: only their rows are read. */
async function readSorted(query: Query, { search, after, most, now, sort }: PartsInput & { sort: EndpointSort }) {
  const measured = lastHours(now, MEASURED_HOURS);
  const sorted = await runComposed(query, sortedEndpoints, {
    ...search,
    sort,
    afterId: after?.id,
    limit: most,
    measured,
  });
  const ids = sorted.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await runComposed(query, endpointPage, { channels: ids, limit: most, measured });
  return rows.map((row) => ({ ...row, part: 0 })).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Reads failing endpoints, which an index of their own finds, and then the others, until there are enough. */
async function readParts(query: Query, { search, after, most, now }: PartsInput) {
  const rows: (StoredEndpoint & { part: number })[] = [];
  const measured = lastHours(now, MEASURED_HOURS);
  const first = after?.part ?? 0;
  for (const [part, failing] of PARTS.entries()) {
    if (part < first || rows.length >= most) continue;
    const place = after && part === first ? { after } : {};
    const input = { ...search, ...place, failing, limit: most - rows.length, measured };
    rows.push(...(await runComposed(query, endpointPage, input)).map((row) => ({ ...row, part })));
  }
  return rows;
}

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
    state: endpointState(row),
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

export function endpointState({
  closedAt,
  pausedAt,
  failing,
}: Pick<StoredEndpoint, "closedAt" | "pausedAt" | "failing">): EndpointState {
  if (closedAt !== null) return "closed";
  if (pausedAt !== null) return "paused";
  return failing ? "failing" : "active";
}
