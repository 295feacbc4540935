import { type Binding, composed, samplesOf } from "@/server/db/composed";
import { bool, int4, nullable, text, timestamp } from "@/server/db/statement";
import { type AttemptFigures, attemptFigures, measuredColumns } from "@/server/services/staff/channels/attempts.sql";
import type { EndpointSearch } from "@/server/services/staff/endpoints/narrow";
import { accountName } from "@/server/services/staff/lists/account-name";
import { type ConditionsOf, conditionsFor } from "@/server/services/staff/lists/conditions";
import { type EndpointSort, endpointSorts } from "@/server/services/staff/lists/endpoints";
import { MOST_COUNTED, type PageCursor, placeTime } from "@/server/services/staff/lists/paging";
import { applicationCondition } from "@/server/services/staff/procedure/scope";
import type { Times } from "@/server/store/deliveries/days";

/** How many of the newest channels are read to find those of some applications, or in a common state. */
const MOST_WALKED = 2_000;

interface Search extends EndpointSearch {
  /** Only those that are failing, or only the others. */
  failing?: boolean;
  after?: PageCursor;
}

export interface StoredEndpoint extends AttemptFigures {
  id: string;
  callbackUrl: string;
  applicationId: string;
  applicationName: string;
  accountId: string;
  accountName: string;
  createdAt: Date;
  /** Precise to the microsecond. */
  placeAt: string;
  closedAt: Date | null;
  closedBy: string | null;
  consecutiveFailures: number;
  failing: boolean;
  pausedAt: Date | null;
  failingSince: Date | null;
  failedAt: Date | null;
  failedStatus: number | null;
  failedError: string | null;
}

/** A disabled application has no attempts, so its endpoints do not fail. Looked up for one failing channel after another. */
const isDisabled =
  "EXISTS (SELECT FROM accounts a JOIN applications p ON p.id = a.application_id WHERE a.id = c.account_id AND p.disabled_at IS NOT NULL OFFSET 0)";

/** Failing and paused channels each have an index that contains nothing else. */
const stateIs = {
  active: `(c.closed_at IS NULL AND c.paused_at IS NULL AND CASE WHEN c.failing THEN ${isDisabled} ELSE true END)`,
  failing: `(c.closed_at IS NULL AND c.paused_at IS NULL AND c.failing AND NOT ${isDisabled})`,
  paused: "(c.closed_at IS NULL AND c.paused_at IS NOT NULL)",
  closed: "c.closed_at IS NOT NULL",
};

/**
 * Returns the owner's condition by its accounts, which are found first: in the order of the page the channels of all
 * applications would be read.
 */
const isOwned = (owner: string) => `c.account_id = ANY (ARRAY(SELECT id FROM accounts WHERE ${owner}))`;
/** Returns the owner's condition for one channel after another. */
const isOwnedByLook = (owner: string) => `EXISTS (SELECT FROM accounts WHERE id = c.account_id AND ${owner} OFFSET 0)`;

const conditionsOf: ConditionsOf<Search> = {
  channels: (ids, { put }) => `c.id = ANY (${put(ids)}::text[])`,
  accounts: (ids, { put }) => `c.account_id = ANY (${put(ids)}::text[])`,
  application: (id, { put }) => isOwned(`application_id = ${put(id)}`),
  within: (ids, { put }) => isOwned(applicationCondition("application_id", ids, put).join()),
  states: (states) => `(${states.map((state) => stateIs[state]).join(" OR ") || "true"})`,
  failing: (isSo) => (isSo ? stateIs.failing : `NOT ${stateIs.failing}`),
  after: ({ at, id }, { put }) => `(c.created_at, c.id) < (${put(at)}::timestamptz, ${put(id)}::text)`,
};

/** Returns SQL for the matching channels, the newest first, at most `limit`. */
function newest(search: Search, limit: string, binding: Binding): string {
  const page = `ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}`;
  const from = (given: Search, { of = "channels", more = [] }: { of?: string; more?: string[] } = {}) =>
    `SELECT c.* FROM ${of} c WHERE ${[...conditionsFor(conditionsOf, given, binding), ...more, "true"].join(" AND ")} ${page}`;
  const { application, within: several, ...others } = search;
  const owners = [
    ...(application === undefined ? [] : [`application_id = ${binding.put(application)}`]),
    ...(several === undefined ? [] : applicationCondition("application_id", several, binding.put)),
  ];
  if (owners.length === 0 && (search.states === undefined || isOfFew(search))) return from(search);
  if (isOfFew(search)) return from(others, { more: owners.map(isOwnedByLook) });
  // Applications with many channels fill a page from the newest; those with few are found by their accounts.
  const after = conditionsFor(conditionsOf, { after: search.after }, binding);
  const among = `SELECT * FROM channels c WHERE ${[...after, "true"].join(" AND ")} ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST_WALKED}`;
  const walked = from(
    { states: search.states, failing: search.failing },
    { of: `(${among})`, more: owners.map(isOwnedByLook) },
  );
  const owned = `(SELECT * FROM channels c WHERE ${owners.map(isOwned).join(" AND ")} OFFSET 0)`;
  const all = owners.length === 0 ? from(search) : from(others, { of: owned });
  return `SELECT * FROM (WITH walked AS MATERIALIZED (${walked}) SELECT * FROM walked WHERE (SELECT count(*) FROM walked) >= ${limit}
  UNION ALL SELECT * FROM (${all}) c WHERE (SELECT count(*) FROM walked) < ${limit}) c ${page}`;
}

/** Reports whether a search finds few channels, whoever owns them. */
function isOfFew({ channels, accounts, states, failing = false }: Search): boolean {
  const isRare = failing || states?.every((state) => state === "failing" || state === "paused");
  return channels !== undefined || accounts !== undefined || isRare === true;
}

const samples: Search[] = [
  ...samplesOf<Required<Search>>({
    channels: ["a"],
    accounts: ["a"],
    application: "a",
    within: ["a"],
    states: ["failing"],
    failing: true,
    after: { at: "2025-06-01T00:00:00Z", id: "" },
  }),
  { within: ["a", "b"] },
  { failing: false },
  { states: ["active"], failing: false, application: "a" },
  { states: ["active"] },
  { states: ["paused"] },
  { states: ["closed"] },
  { states: ["active", "failing", "paused", "closed"] },
];

const aDay: Times = { from: "2025-06-01T00:00:00Z", before: "2025-06-02T00:00:00Z" };

/** A search with its limit, and the times between which attempts are measured. */
type PageInput = Search & { limit: number; measured: Times };

export const endpointPage = composed<PageInput, StoredEndpoint>({
  compose: ({ limit, measured, ...search }, binding) => {
    const matches = newest(search, `${binding.put(limit)}::int`, binding);
    const times = { from: binding.put(measured.from), before: binding.put(measured.before) };
    return `WITH k AS MATERIALIZED (${matches})
SELECT k.id, k.callback_url AS "callbackUrl", a.application_id AS "applicationId", p.name AS "applicationName", k.account_id AS "accountId",
  ${accountName("a")} AS "accountName", k.created_at AS "createdAt",
  ${placeTime("k.created_at")} AS "placeAt", k.closed_at AS "closedAt", k.closed_by AS "closedBy",
  k.failures AS "consecutiveFailures", k.failing AND p.disabled_at IS NULL AS failing, k.paused_at AS "pausedAt",
  CASE WHEN k.failing AND p.disabled_at IS NULL THEN k.failing_since END AS "failingSince",
  k.failed_at AS "failedAt", k.failed_status AS "failedStatus", k.failed_error AS "failedError", m.*
FROM k JOIN accounts a ON a.id = k.account_id JOIN applications p ON p.id = a.application_id CROSS JOIN LATERAL (${attemptFigures("k.id", times)}) m
ORDER BY k.created_at DESC, k.id DESC`;
  },
  columns: {
    id: text,
    callbackUrl: text,
    applicationId: text,
    applicationName: text,
    accountId: text,
    accountName: text,
    createdAt: timestamp,
    placeAt: text,
    closedAt: nullable(timestamp),
    closedBy: nullable(text),
    ...measuredColumns,
    consecutiveFailures: int4,
    failing: bool,
    pausedAt: nullable(timestamp),
    failingSince: nullable(timestamp),
    failedAt: nullable(timestamp),
    failedStatus: nullable(int4),
    failedError: nullable(text),
  },
  samples: samples.map((search) => ({
    ...search,
    limit: 1,
    measured: aDay,
  })),
});

/** How many of the failing channels, and of the others, are sorted: by measures, which no index has. */
export const MOST_SORTED = 1_000;

/** The worst first. `m` has the measures of the channel `k`. */
const worstFirst: Record<EndpointSort, { order: string; isMeasured: boolean }> = {
  failures: { order: "k.failures DESC", isMeasured: false },
  lastError: { order: "k.failed_at DESC NULLS LAST", isMeasured: false },
  success: { order: "m.successes::float8 / nullif(m.attempts, 0) NULLS LAST", isMeasured: true },
  p95: { order: `m."p95Ms" DESC NULLS LAST`, isMeasured: true },
};

type SortInput = EndpointSearch & { sort: EndpointSort; afterId?: string; limit: number; measured: Times };

/** The ids of sorted channels, those after one of them. */
export const sortedEndpoints = composed<SortInput, { id: string }>({
  compose: ({ sort, afterId, limit, measured, ...search }, binding) => {
    const most = String(MOST_SORTED);
    const parts = [true, false].map((failing) => `(${newest({ ...search, failing }, most, binding)})`);
    const { order, isMeasured } = worstFirst[sort];
    const times = isMeasured && { from: binding.put(measured.from), before: binding.put(measured.before) };
    const measures = times ? `CROSS JOIN LATERAL (${attemptFigures("k.id", times)}) m` : "";
    const after = afterId === undefined ? "0" : `coalesce((SELECT n FROM s WHERE id = ${binding.put(afterId)}), 0)`;
    return `WITH k AS MATERIALIZED (${parts.join(" UNION ALL ")}),
s AS (SELECT k.id, row_number() OVER (ORDER BY ${order}, k.created_at DESC, k.id DESC) AS n FROM k ${measures})
SELECT id FROM s WHERE n > ${after} ORDER BY n LIMIT ${binding.put(limit)}::int`;
  },
  columns: { id: text },
  samples: samples.flatMap(({ after: _, failing: __, ...search }) =>
    endpointSorts.map((sort) => ({
      ...search,
      sort,
      limit: 1,
      measured: aDay,
      ...(search.states && { afterId: "a" }),
    })),
  ),
});

/** Counts up to one more than the cap. */
export const endpointCount = composed<EndpointSearch, { count: number }>({
  compose: (search, binding) => {
    const where = [...conditionsFor(conditionsOf, search, binding), "true"].join(" AND ");
    return `SELECT count(*)::int AS count FROM (SELECT FROM channels c WHERE ${where} LIMIT ${MOST_COUNTED + 1}) k`;
  },
  columns: { count: int4 },
  samples: samples.map(({ after: _, ...search }) => search),
});
