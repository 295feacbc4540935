import type { Query } from "@/server/db/client";
import { type Binding, binding } from "@/server/db/composed";
import { queryOne } from "@/server/db/query-one";
import { RETENTION_DAYS } from "@/server/db/request-logs";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { MOST_COUNTED, type PageCursor, placeTime } from "@/server/services/staff/paging";
import {
  type Conditions,
  daysOf,
  facetting,
  narrowing,
  ofApplications,
} from "@/server/services/staff/requests/filters";
import type { RequestRow } from "@/server/services/staff/requests/shapes";

/** So many of the newest are looked through before the index of facets is asked: most pages are among them. */
const WALKED = 2_000;
/** Then so many days are looked at by themselves, before all others. */
const FIRST_DAYS = 4;

/** A row of the log as statements give it; `at` is to the microsecond. */
export type RequestRowFound = RequestRow;

export interface Search {
  conditions: Conditions;
  /** Milliseconds since 1970. */
  now: number;
  after?: PageCursor;
}

/** The newest requests that match, at most `limit`, newest first. */
export async function findRequests(query: Query, search: Search, limit: number): Promise<RequestRowFound[]> {
  const { facets } = search.conditions;
  const walked = await walk(query, search, { limit, among: facets.length === 0 ? limit : WALKED });
  if (walked.isEnough) return walked.rows;
  const found: RequestRowFound[] = [];
  for (const days of spans(search)) {
    const some = faceted(search, days, columns);
    const text = `${some.text} ORDER BY at + interval '0' DESC, id DESC LIMIT ${limit - found.length}`;
    found.push(...(await query<RequestRowFound>(named(text), some.values)));
    if (found.length >= limit) break;
  }
  return found;
}

/** How many match, counted up to one more than the cap. */
export async function countRequests(query: Query, search: Search): Promise<number> {
  const most = MOST_COUNTED + 1;
  const isPlain = search.conditions.facets.length === 0;
  let count = 0;
  for (const days of isPlain ? [null] : spans(search)) {
    const { text, values } = days === null ? inOrder(search, "1", binding()) : faceted(search, days, "1");
    const found = await queryOne<{ count: number }>(
      query,
      `SELECT count(*)::int AS count FROM (${text} LIMIT ${most - count}) r`,
      values,
    );
    count += found.count;
    if (count >= most) break;
  }
  return count;
}

export const shown = `r.id::text, r.request_id AS "requestId", ${placeTime("r.at")} AS at, r.method, r.path, r.endpoint, r.status,
  r.duration_ms AS "durationMs", r.application_id AS "applicationId", a.name AS "applicationName", r.account_id AS "accountId",
  r.error_keys AS "errorKeys"`;

const columns =
  "id, request_id, at, method, path, endpoint, status, duration_ms, application_id, account_id, error_keys";
const named = (rows: string) =>
  `SELECT ${shown} FROM (${rows}) r LEFT JOIN applications a ON a.id = r.application_id ORDER BY r.at DESC, r.id DESC`;

export interface Statement {
  text: string;
  values: unknown[];
}

/** Looks through the newest ones. They are enough when they make a page, or when there are no others. */
async function walk(
  query: Query,
  search: Search,
  { limit, among }: { limit: number; among: number },
): Promise<{ rows: RequestRowFound[]; isEnough: boolean }> {
  const bound = binding();
  const facets = facetting({ ...search.conditions, applications: [] }, bound);
  const newest = `${inOrder(search, columns, bound).text} ORDER BY at DESC, id DESC LIMIT ${among}`;
  const rows = await query<RequestRowFound & { walked: number }>(
    `WITH newest AS MATERIALIZED (${newest}), r AS (SELECT * FROM newest ${where(facets)} ORDER BY at DESC, id DESC LIMIT ${limit})
SELECT ${shown}, walked.n AS walked FROM (SELECT count(*)::int AS n FROM newest) walked LEFT JOIN r ON true
  LEFT JOIN applications a ON a.id = r.application_id ORDER BY r.at DESC, r.id DESC`,
    bound.values,
  );
  const found = rows.filter(({ id }) => id !== null).map(({ walked, ...row }) => row);
  return { rows: found, isEnough: found.length >= limit || (rows[0]?.walked ?? 0) < among };
}

/** What can be read along the order of time, which the indexes of accounts and applications have too. */
function inOrder(search: Search, selected: string, bound: Binding): Statement {
  const { conditions } = search;
  const all = [...narrowing(conditions, bound), ...ofApplications(conditions, bound), ...afterPlace(search, bound)];
  return { text: `SELECT ${selected} FROM request_logs ${where(all)}`, values: bound.values };
}

interface Days {
  first: Day;
  last: Day;
}

/** The days that may hold something, in the order in which they are looked at: what is not rare is found in the newest. */
function spans({ conditions, now, after }: Search): Days[] {
  const { first, last } = daysOf(conditions, dayOf(now as Instant), RETENTION_DAYS.standard);
  const newest = Math.min(last, after ? dayOf(Date.parse(after.at) as Instant) : last);
  const turn = newest - FIRST_DAYS;
  const both = [
    { first: Math.max(first, turn + 1), last: newest },
    { first, last: turn },
  ];
  return both.filter((days) => days.first <= days.last) as Days[];
}

/** What the index of facets finds in the partitions that hold some days. */
export function faceted(search: Search, { first, last }: Days, selected: string): Statement {
  const bound = binding();
  const { conditions } = search;
  const kept = Object.values(RETENTION_DAYS);
  const expiries = new Set(kept.flatMap((days) => range(first, last).map((day) => formatDay((day + days) as Day))));
  const all = [
    `expires_on = ANY (${bound.put([...expiries])}::date[])`,
    `at >= ${bound.put(`${formatDay(first)}T00:00:00Z`)}::timestamptz`,
    `at < ${bound.put(`${formatDay((last + 1) as Day)}T00:00:00Z`)}::timestamptz`,
    ...narrowing(conditions, bound),
    ...facetting(conditions, bound),
    ...afterPlace(search, bound),
  ];
  return { text: `SELECT ${selected} FROM request_logs ${where(all)}`, values: bound.values };
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function afterPlace({ after }: Search, { put }: Binding): string[] {
  return after ? [`(at, id) < (${put(after.at)}::timestamptz, ${put(after.id)}::uuid)`] : [];
}

function where(conditions: string[]): string {
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
}
