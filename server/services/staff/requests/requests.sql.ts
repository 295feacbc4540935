import { type Binding, composed, samplesOf } from "@/server/db/composed";
import {
  bool,
  float8,
  int2,
  int4,
  jsonText,
  nullable,
  oneOf,
  statement,
  text,
  texts,
  timestamp,
} from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { REQUESTS_KEPT_DAYS } from "@/server/domain/retention";
import { type Day, formatDay } from "@/server/domain/time/day";
import { accountName } from "@/server/services/staff/lists/account-name";
import { MOST_COUNTED, type PageCursor, placeTime } from "@/server/services/staff/lists/paging";
import { type ErrorGrouping, errorGroupings, type RequestRow } from "@/server/services/staff/lists/requests";
import {
  applicationConditions,
  applicationsReadApart,
  type Conditions,
  facetConditions,
  facetConditionsBesideOwner,
  narrowingConditions,
} from "@/server/services/staff/requests/filters";
import type { ErrorGroup, RequestDetail, StoredBody } from "@/server/services/staff/requests/shapes";
import { isOver } from "@/server/store/events/write-states";
import { loggedPart } from "@/server/store/request-logs/request-logs.sql";

const MOST_GROUPS = 200;
/** How many of the newest responses are read at most: a bad day must not slow the page down. */
const MOST_RESPONSES = 20_000;

/** A search of the log: what matches, after a cursor. */
export interface RequestSearch {
  conditions: Conditions;
  after?: PageCursor;
  /** The oldest first, instead of the newest. */
  isOldestFirst?: boolean;
}

export interface Days {
  first: Day;
  last: Day;
}

export const shown = `r.id::text, r.request_id AS "requestId", ${placeTime("r.at")} AS at, r.method, r.path, r.endpoint, r.status,
  r.duration_ms AS "durationMs", r.application_id AS "applicationId", a.name AS "applicationName", r.account_id AS "accountId",
  ${accountName("o")} AS "accountName", coalesce(r.error_keys, '{}') AS "errorKeys"`;

export const owners = "LEFT JOIN applications a ON a.id = r.application_id LEFT JOIN accounts o ON o.id = r.account_id";

/** `at` is to the microsecond. */
export const shownColumns = {
  id: text,
  requestId: text,
  at: text,
  method: text,
  path: text,
  endpoint: nullable(text),
  status: int2,
  durationMs: float8,
  applicationId: nullable(text),
  applicationName: nullable(text),
  accountId: nullable(text),
  accountName: nullable(text),
  errorKeys: texts,
};

export const scanned =
  "id, request_id, at, method, path, endpoint, status, duration_ms, application_id, account_id, error_keys";

const anything: Conditions = {
  facets: [],
  status: null,
  accounts: [],
  owners: null,
  applications: [],
  within: null,
  request: null,
  from: null,
  to: null,
};

export const requestSamples: RequestSearch[] = [
  ...samplesOf<Conditions>({
    facets: [["a"], ["b", "c"]],
    status: 404,
    accounts: ["a"],
    owners: ["a"],
    applications: ["a"],
    within: ["a"],
    request: "a",
    from: 0,
    to: 1,
  }),
  { request: "00000000-0000-0000-0000-000000000000" },
  { within: ["a", "b"] },
  { owners: ["a", "b"] },
].flatMap((given) => {
  const conditions = { ...anything, ...given };
  const after = { at: "2025-06-01T00:00:00Z", id: "00000000-0000-0000-0000-000000000000" };
  return [{ conditions }, { conditions, after }, { conditions, after, isOldestFirst: true }];
});
export const sampledDays: Days = { first: 20_000 as Day, last: 20_001 as Day };

/** Reads the first requests in time order. `walked`: how many were read. */
export const walkedRequests = composed<
  RequestSearch & { limit: number; among: number },
  Omit<RequestRow, "id"> & { id: string | null; walked: number }
>({
  compose: ({ limit, among, ...search }, binding) => {
    const facets = facetConditionsBesideOwner(search.conditions, binding);
    const newest = inOrder(search, { selected: scanned, most: among }, binding);
    return `WITH newest AS MATERIALIZED (${newest}), r AS (SELECT * FROM newest ${whereClause(facets)} ${orderOf(search)} LIMIT ${limit})
SELECT ${shown}, walked.n AS walked FROM (SELECT count(*)::int AS n FROM newest) walked LEFT JOIN r ON true
  ${owners} ${orderOf(search, "r.")}`;
  },
  columns: { ...shownColumns, id: nullable(text), walked: int4 },
  samples: requestSamples.map((search) => ({ ...search, limit: 1, among: 1 })),
});

/** Requests in some days by the index of facets. */
export const facetedRequests = composed<RequestSearch & { days: Days; limit: number }, RequestRow>({
  compose: ({ days, limit, ...search }, binding) => {
    const direction = search.isOldestFirst ? "" : " DESC";
    const order = `ORDER BY at + interval '0'${direction}, id${direction}`;
    const rows = `${facetedRows(search, { days, selected: scanned }, binding)} ${order} LIMIT ${limit}`;
    return `SELECT ${shown} FROM (${rows}) r ${owners} ${orderOf(search, "r.")}`;
  },
  columns: shownColumns,
  samples: requestSamples.map((search) => ({ ...search, days: sampledDays, limit: 1 })),
});

/** Counts matching requests up to `most`; without days, in time order. */
export const requestCount = composed<RequestSearch & { days: Days | null; most: number }, { count: number }>({
  compose: ({ days, most, ...search }, binding) => {
    if (days === null)
      return `SELECT count(*)::int AS count FROM (${inOrder(search, { selected: "at, id", most }, binding)}) r`;
    const rows = facetedRows(search, { days, selected: "1" }, binding);
    return `SELECT count(*)::int AS count FROM (${rows} LIMIT ${most}) r`;
  },
  columns: { count: int4 },
  samples: requestSamples.flatMap((search) =>
    [null, sampledDays].map((some) => ({ ...search, days: some, most: MOST_COUNTED })),
  ),
});

/** What errors are grouped by, beside their route and key. */
const grouped: Record<ErrorGrouping, readonly string[]> = {
  error: [],
  application: ["e.application_id"],
  account: ["e.application_id", "e.account_id"],
};

/** The one of a column that got most of them. */
const mostly = (column: string) => `(array_agg(e.${column} ORDER BY e.n DESC, e.last DESC))[1]`;

export const errorGroups = composed<
  RequestSearch & { days: Days; by: ErrorGrouping },
  Omit<ErrorGroup, "last"> & { last: Date }
>({
  compose: ({ days, by, ...search }, binding) => {
    const selected = "id, at, method, endpoint, status, error_keys, application_id, account_id";
    const rows = facetedRows(search, { days, selected }, binding);
    const kind = ["e.endpoint", "e.method", "e.key"];
    return `WITH e AS (SELECT r.endpoint, r.method, key, r.application_id, r.account_id, count(*)::int AS n, max(r.at) AS last,
    (array_agg(r.id::text ORDER BY r.at DESC))[1] AS sample
  FROM (${rows} ORDER BY at + interval '0' DESC LIMIT ${MOST_RESPONSES}) r CROSS JOIN LATERAL unnest(CASE WHEN r.error_keys = '{}' THEN ARRAY[r.status::text] ELSE r.error_keys END) AS key
  GROUP BY 1, 2, 3, 4, 5),
g AS (SELECT ${kind.join(", ")}, sum(e.n)::int AS count, (sum(sum(e.n)) OVER (PARTITION BY ${kind.join(", ")}))::int AS of, max(e.last) AS last,
    (array_agg(e.sample ORDER BY e.last DESC))[1] AS sample, count(DISTINCT e.application_id)::int AS applications, count(DISTINCT e.account_id)::int AS accounts,
    ${mostly("application_id")} AS application_id, ${mostly("account_id")} AS account_id, max(e.n) AS of_account
  FROM e GROUP BY ${[...kind, ...grouped[by]].join(", ")})
SELECT g.endpoint, g.method, g.key, g.count, g.of, g.last, g.sample AS "sampleId", g.applications, g.accounts, g.application_id AS "applicationId",
  a.name AS "applicationName", g.account_id AS "accountId", ${accountName("o")} AS "accountName", g.of_account AS "ofAccount"
FROM g LEFT JOIN applications a ON a.id = g.application_id LEFT JOIN accounts o ON o.id = g.account_id
ORDER BY ${by === "error" ? "" : "g.of DESC, g.endpoint, g.method, g.key, "}g.count DESC, g.last DESC LIMIT ${MOST_GROUPS}`;
  },
  columns: {
    ...{ endpoint: nullable(text), method: text, key: text, count: int4, of: int4, last: timestamp, sampleId: text },
    ...{ applications: int4, accounts: int4, ofAccount: int4 },
    ...{ applicationId: nullable(text), applicationName: nullable(text) },
    ...{ accountId: nullable(text), accountName: nullable(text) },
  },
  samples: requestSamples.flatMap((search) => errorGroupings.map((by) => ({ ...search, days: sampledDays, by }))),
});

function orderOf({ isOldestFirst = false }: Pick<RequestSearch, "isOldestFirst">, table: "" | "r." = ""): string {
  const direction = isOldestFirst ? "" : " DESC";
  return `ORDER BY ${table}at${direction}, ${table}id${direction}`;
}

/** Returns SQL for the first requests in time order, in which the indexes of accounts and applications are too. */
export function inOrder(
  search: RequestSearch,
  { selected, most }: { selected: string; most: number },
  binding: Binding,
): string {
  const { conditions } = search;
  const all = [...narrowingConditions(conditions, binding), ...afterPlace(search, binding)];
  const page = `${orderOf(search)} LIMIT ${most}`;
  const several = applicationsReadApart(conditions);
  if (several === null) {
    return `SELECT ${selected} FROM request_logs ${whereClause([...all, ...applicationConditions(conditions, binding)])} ${page}`;
  }
  const each = `SELECT ${selected} FROM request_logs ${whereClause([...all, "application_id = o.application"])} ${page}`;
  return `SELECT r.* FROM unnest(${binding.put(several)}::text[]) o(application) CROSS JOIN LATERAL (${each}) r ${page}`;
}

/** Returns SQL for the requests by the index of facets, in the partitions of some days. */
export function facetedRows(
  search: RequestSearch,
  { days: { first, last }, selected }: { days: Days; selected: string },
  binding: Binding,
): string {
  const { conditions } = search;
  const kept = Object.values(REQUESTS_KEPT_DAYS);
  const expiries = new Set(kept.flatMap((keep) => range(first, last).map((day) => formatDay((day + keep) as Day))));
  const all = [
    `expires_on = ANY (${binding.put([...expiries])}::date[])`,
    // An expression without an index: PostgreSQL without statistics would read all of these days by their times.
    `at + interval '0' >= ${binding.put(`${formatDay(first)}T00:00:00Z`)}::timestamptz`,
    `at + interval '0' < ${binding.put(`${formatDay((last + 1) as Day)}T00:00:00Z`)}::timestamptz`,
    ...narrowingConditions(conditions, binding),
    ...facetConditions(conditions, binding),
    ...afterPlace(search, binding),
  ];
  return `SELECT ${selected} FROM request_logs ${whereClause(all)}`;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function afterPlace({ after, isOldestFirst = false }: RequestSearch, { put }: Binding): string[] {
  return after ? [`(at, id) ${isOldestFirst ? ">" : "<"} (${put(after.at)}::timestamptz, ${put(after.id)}::uuid)`] : [];
}

function whereClause(conditions: string[]): string {
  return conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
}

type StoredBodies = Omit<RequestDetail, keyof RequestRow | "redirect" | "caused">;

export const requestById = statement<RequestRow & StoredBodies>(
  `SELECT ${shown}, r.query, r.address, ${loggedPart("r", "request_headers")} AS "requestHeaders",
  ${loggedPart("r", "request_body")} AS "requestBody", ${loggedPart("r", "response_headers")} AS "responseHeaders",
  ${loggedPart("r", "response_body")} AS "responseBody"
FROM request_logs r ${owners} WHERE r.id = $1::uuid LIMIT 1`,
  {
    ...shownColumns,
    query: nullable(text),
    address: nullable(text),
    requestHeaders: jsonText<Record<string, string>>(),
    requestBody: nullable(jsonText<StoredBody>()),
    responseHeaders: jsonText<Record<string, string>>(),
    responseBody: nullable(jsonText<StoredBody>()),
  },
);

export interface StoredEventState {
  provider: Provider;
  isLiving: boolean;
  /** Null: no write is pending. */
  refused: boolean | null;
  reason: string | null;
}

/** A write that its provider does not have yet is found even if its event was deleted; a calendar has few of them. */
export const eventState = statement<StoredEventState>(
  `SELECT p.provider, living.id IS NOT NULL AS "isLiving",
  CASE WHEN w.id IS NULL THEN NULL ELSE ${isOver("w")} END AS refused, w.last_error AS reason
FROM calendars c JOIN profiles p ON p.id = c.profile_id
LEFT JOIN events living ON living.calendar_id = c.id AND living.event_id = $2 AND living.deleted_at IS NULL
LEFT JOIN LATERAL (SELECT w.id, w.refused_at, w.last_error FROM provider_writes w JOIN events e ON e.calendar_id = w.calendar_id AND e.id = w.event_row
  WHERE w.calendar_id = c.id AND e.event_id = $2 ORDER BY w.id DESC LIMIT 1) w ON true
WHERE c.id = $1`,
  { provider: oneOf<Provider>(), isLiving: bool, refused: nullable(bool), reason: nullable(text) },
);
