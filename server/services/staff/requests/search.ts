import type { Query } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";
import type { RequestRow } from "@/server/services/staff/lists/requests";
import { daysOf, isOfMany } from "@/server/services/staff/requests/filters";
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

/** A row of the log as statements return it; `at` is to the microsecond. */
export type StoredRequestRow = RequestRow;

export interface Search extends RequestSearch {
  /** Milliseconds since 1970. */
  now: number;
}

/** Reads the newest matching requests, at most `limit`, newest first. */
export async function findRequests(query: Query, search: Search, limit: number): Promise<StoredRequestRow[]> {
  const walked = await readNewest(query, search, { limit, among: isPlain(search) ? limit : WALKED });
  if (walked.isEnough) return walked.rows;
  const newest: StoredRequestRow[] = [];
  for (const days of spans(search)) {
    newest.push(...(await runComposed(query, facetedRequests, { ...search, days, limit: limit - newest.length })));
    if (newest.length >= limit) break;
  }
  return newest;
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
function isPlain({ conditions }: Search): boolean {
  return conditions.facets.length === 0 && !isOfMany(conditions);
}

/** Reads the newest requests. They are enough when they fill a page, or when there are no others. */
async function readNewest(
  query: Query,
  search: Search,
  { limit, among }: { limit: number; among: number },
): Promise<{ rows: StoredRequestRow[]; isEnough: boolean }> {
  const rows = await runComposed(query, walkedRequests, { ...search, limit, among });
  const matches = rows.flatMap(({ walked, id, ...row }) => (id === null ? [] : [{ id, ...row }]));
  return { rows: matches, isEnough: matches.length >= limit || (rows[0]?.walked ?? 0) < among };
}

/** Returns the days to search, in order: common requests are found in the newest. */
function spans({ conditions, now, after }: Search): Days[] {
  const { first, last } = daysOf(conditions, dayOf(now as Instant), REQUESTS_KEPT_DAYS.standard);
  const newest = Math.min(last, after ? dayOf(Date.parse(after.at) as Instant) : last);
  const turn = newest - FIRST_DAYS;
  const both = [
    { first: Math.max(first, turn + 1), last: newest },
    { first, last: turn },
  ];
  return both.filter((days) => days.first <= days.last) as Days[];
}
