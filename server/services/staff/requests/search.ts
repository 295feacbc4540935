import type { Query } from "@/server/db/client";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";
import { daysOf, isOfMany } from "@/server/services/staff/requests/filters";
import {
  type Days,
  facetedRequests,
  type RequestSearch,
  requestCount,
  walkedRequests,
} from "@/server/services/staff/requests/requests.sql";
import type { RequestRow } from "@/server/services/staff/requests/shapes";

/** So many of the newest are looked through before the index of facets is asked: most pages are among them. */
const WALKED = 2_000;
/** Then so many days are looked at by themselves, before all others. */
const FIRST_DAYS = 4;

/** A row of the log as statements give it; `at` is to the microsecond. */
export type RequestRowFound = RequestRow;

export interface Search extends RequestSearch {
  /** Milliseconds since 1970. */
  now: number;
}

/** The newest requests that match, at most `limit`, newest first. */
export async function findRequests(query: Query, search: Search, limit: number): Promise<RequestRowFound[]> {
  const walked = await walk(query, search, { limit, among: isPlain(search) ? limit : WALKED });
  if (walked.isEnough) return walked.rows;
  const found: RequestRowFound[] = [];
  for (const days of spans(search)) {
    found.push(...(await runComposed(query, facetedRequests, { ...search, days, limit: limit - found.length })));
    if (found.length >= limit) break;
  }
  return found;
}

/** How many match, counted up to one more than the cap. */
export async function countRequests(query: Query, search: Search): Promise<number> {
  const most = MOST_COUNTED + 1;
  let count = 0;
  for (const days of isPlain(search) ? [null] : spans(search)) {
    const found = await runComposedOne(query, requestCount, { ...search, days, most: most - count });
    count += found.count;
    if (count >= most) break;
  }
  return count;
}

/** An index in the order of time has all that matches. */
function isPlain({ conditions }: Search): boolean {
  return conditions.facets.length === 0 && !isOfMany(conditions);
}

/** Looks through the newest ones. They are enough when they make a page, or when there are no others. */
async function walk(
  query: Query,
  search: Search,
  { limit, among }: { limit: number; among: number },
): Promise<{ rows: RequestRowFound[]; isEnough: boolean }> {
  const rows = await runComposed(query, walkedRequests, { ...search, limit, among });
  const found = rows.flatMap(({ walked, id, ...row }) => (id === null ? [] : [{ id, ...row }]));
  return { rows: found, isEnough: found.length >= limit || (rows[0]?.walked ?? 0) < among };
}

/** The days that may hold something, in the order in which they are looked at: what is not rare is found in the newest. */
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
