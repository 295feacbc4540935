import type { Query } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";
import type { RequestRow } from "@/server/services/staff/lists/requests";
import { daysOf, isOfMany } from "@/server/services/staff/requests/filters";
import { type MeasureCursor, type RequestMeasure, rankedRequests } from "@/server/services/staff/requests/ranked.sql";
import {
  type Days,
  facetedRequests,
  type RequestSearch,
  requestCount,
  walkedRequests,
} from "@/server/services/staff/requests/requests.sql";

/** How many of the newest requests are read before the index of facets is used: most pages are among them. */
const WALKED = 2_000;
/** How many days are then searched first, before all others. */
const FIRST_DAYS = 4;

const KEPT_DAYS = REQUESTS_KEPT_DAYS.standard;

/** A row of the log as statements return it; `at` is to the microsecond. */
export type StoredRequestRow = RequestRow;
/** The same with what it is sorted by. */
export type RankedRow = StoredRequestRow & { value: string };

export interface Search extends RequestSearch {
  /** Milliseconds since 1970. */
  now: number;
}

/** Reads the first matching requests, at most `limit`: the newest, or the oldest. */
export async function findRequests(query: Query, search: Search, limit: number): Promise<StoredRequestRow[]> {
  const walked = await readFirst(query, search, { limit, among: isPlain(search) ? limit : WALKED });
  if (walked.isEnough) return walked.rows;
  const first: StoredRequestRow[] = [];
  for (const days of spans(search)) {
    first.push(...(await runComposed(query, facetedRequests, { ...search, days, limit: limit - first.length })));
    if (first.length >= limit) break;
  }
  return first;
}

interface Ranking {
  search: Pick<Search, "conditions" | "now">;
  by: RequestMeasure;
  after: MeasureCursor | undefined;
  limit: number;
}

/**
 * Reads the matching requests with the highest measure. Null: more match than are sorted, which are as many as are
 * counted.
 */
export async function rankRequests(query: Query, { search, by, after, limit }: Ranking): Promise<RankedRow[] | null> {
  const days = isPlain(search) ? null : daysOf(search.conditions, dayOf(search.now as Instant), KEPT_DAYS);
  const rows = await runComposed(query, rankedRequests, { conditions: search.conditions, by, after, days, limit });
  if ((rows[0]?.found ?? 0) > MOST_COUNTED) return null;
  return rows.flatMap(({ found: _, id, value, ...row }) =>
    id === null || value === null ? [] : [{ id, value, ...row }],
  );
}

/** Counts matching requests, up to one more than the cap. */
export async function countRequests(query: Query, search: Search): Promise<number> {
  const most = MOST_COUNTED + 1;
  let count = 0;
  for (const days of isPlain(search) ? [null] : spans(search)) {
    const counted = await runComposedOne(query, requestCount, { ...search, days, most: most - count });
    count += counted.count;
    if (count >= most) break;
  }
  return count;
}

/** Reports whether an index in time order serves the whole search. */
function isPlain({ conditions }: Pick<Search, "conditions">): boolean {
  return conditions.facets.length === 0 && !isOfMany(conditions);
}

/** Reads the first requests in time order. They are enough when they fill a page, or when there are no others. */
async function readFirst(
  query: Query,
  search: Search,
  { limit, among }: { limit: number; among: number },
): Promise<{ rows: StoredRequestRow[]; isEnough: boolean }> {
  const rows = await runComposed(query, walkedRequests, { ...search, limit, among });
  const matches = rows.flatMap(({ walked, id, ...row }) => (id === null ? [] : [{ id, ...row }]));
  return { rows: matches, isEnough: matches.length >= limit || (rows[0]?.walked ?? 0) < among };
}

/** Returns the days to search, in order: common requests are found in the first. */
function spans({ conditions, now, after, isOldestFirst = false }: Search): Days[] {
  const { first, last } = daysOf(conditions, dayOf(now as Instant), KEPT_DAYS);
  if (isOldestFirst) {
    const oldest = Math.max(first, after ? dayOf(Date.parse(after.at) as Instant) : first);
    const both = [
      { first: oldest, last: Math.min(last, oldest + FIRST_DAYS - 1) },
      { first: oldest + FIRST_DAYS, last },
    ];
    return both.filter((days) => days.first <= days.last) as Days[];
  }
  const newest = Math.min(last, after ? dayOf(Date.parse(after.at) as Instant) : last);
  const turn = newest - FIRST_DAYS;
  const both = [
    { first: Math.max(first, turn + 1), last: newest },
    { first, last: turn },
  ];
  return both.filter((days) => days.first <= days.last) as Days[];
}
