import { isAttemptOf } from "@/server/db/attempts-of";
import { type Binding, composed, samplesOf } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { bool, int4, nullable, text, timestamp } from "@/server/db/statement";
import type { EndpointSearch } from "@/server/services/staff/endpoints/narrow";
import { type ConditionsOf, conditionsFor } from "@/server/services/staff/lists/conditions";
import { MOST_COUNTED, type PageCursor, placeTime } from "@/server/services/staff/lists/paging";
import { within } from "@/server/services/staff/procedure/scope";

/** So many of the newest channels are looked through for those of some applications, or in a state that is not rare. */
const MOST_WALKED = 2_000;
/** So many of an endpoint's deliveries are looked at, the newest that were attempted. */
const MOST_LOOKED_AT = 50;
interface Search extends EndpointSearch {
  after?: PageCursor;
}

export interface StoredEndpoint {
  id: string;
  callbackUrl: string;
  applicationId: string;
  applicationName: string;
  accountId: string;
  accountName: string;
  createdAt: Date;
  /** To the microsecond. */
  placeAt: string;
  closedAt: Date | null;
  closedBy: string | null;
  attempts: number;
  successes: number;
  p50Ms: number | null;
  p95Ms: number | null;
  consecutiveFailures: number;
  failing: boolean;
  pausedAt: Date | null;
  failingSince: Date | null;
  lastAttemptAt: Date | null;
  failedAt: Date | null;
  failedStatus: number | null;
  failedError: string | null;
}

const since = (hours: number) => `(SELECT now FROM t) - interval '${hours} hours'`;

/**
 * The attempts of a channel's newest deliveries. PostgreSQL does not see how many deliveries are wanted,
 * and so reads them in their order from the index: it would else read and sort all those of a busy channel.
 */
const attemptsOf = (channel: string) => `SELECT a.started_at, a.duration_ms, a.status, a.error_class,
    coalesce(a.status BETWEEN 200 AND 299, false) AS arrived
  FROM (SELECT d.id, d.created_at FROM deliveries d WHERE d.channel_id = ${channel} AND d.attempts > 0 AND d.created_at > ${since(72)}
    ORDER BY d.created_at DESC LIMIT (SELECT ${MOST_LOOKED_AT})) d JOIN attempts a ON ${isAttemptOf("a", "d")}`;

const lastFailure = `max(started_at) FILTER (WHERE NOT arrived) AS "failedAt",
    (array_agg(status ORDER BY started_at DESC) FILTER (WHERE NOT arrived))[1] AS "failedStatus",
    (array_agg(error_class ORDER BY started_at DESC) FILTER (WHERE NOT arrived))[1] AS "failedError"`;

/** Nothing is attempted for a disabled application: its endpoints do not fail. Looked up of one failing channel after another. */
const isDisabled =
  "EXISTS (SELECT FROM accounts a JOIN applications p ON p.id = a.application_id WHERE a.id = c.account_id AND p.disabled_at IS NOT NULL OFFSET 0)";

/** Those that are failing and those that are paused have an index each that holds nothing else. */
const stateIs = {
  active: `(c.closed_at IS NULL AND c.paused_at IS NULL AND CASE WHEN c.failing THEN ${isDisabled} ELSE true END)`,
  failing: `(c.closed_at IS NULL AND c.paused_at IS NULL AND c.failing AND NOT ${isDisabled})`,
  paused: "(c.closed_at IS NULL AND c.paused_at IS NOT NULL)",
  closed: "c.closed_at IS NOT NULL",
};

/** Their accounts are found first: in the order of the page the channels of all applications would be read. */
const isOwned = (owner: string) => `c.account_id = ANY (ARRAY(SELECT id FROM accounts WHERE ${owner}))`;
/** The same of one channel after another. */
const isOwnedByLook = (owner: string) => `EXISTS (SELECT FROM accounts WHERE id = c.account_id AND ${owner} OFFSET 0)`;

const conditionsOf: ConditionsOf<Search> = {
  channels: (ids, { put }) => `c.id = ANY (${put(ids)}::text[])`,
  accounts: (ids, { put }) => `c.account_id = ANY (${put(ids)}::text[])`,
  application: (id, { put }) => isOwned(`application_id = ${put(id)}`),
  within: (ids, { put }) => isOwned(within("application_id", ids, put).join()),
  states: (states) => `(${states.map((state) => stateIs[state]).join(" OR ") || "true"})`,
  after: ({ at, id }, { put }) => `(c.created_at, c.id) < (${put(at)}::timestamptz, ${put(id)}::text)`,
};

/** SQL for the channels that match, the newest first, at most `limit`. */
function newest(search: Search, limit: string, binding: Binding): string {
  const page = `ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}`;
  const from = (given: Search, { of = "channels", more = [] }: { of?: string; more?: string[] } = {}) =>
    `SELECT c.* FROM ${of} c WHERE ${[...conditionsFor(conditionsOf, given, binding), ...more, "true"].join(" AND ")} ${page}`;
  const { application, within: several, ...others } = search;
  const owners = [
    ...(application === undefined ? [] : [`application_id = ${binding.put(application)}`]),
    ...(several === undefined ? [] : within("application_id", several, binding.put)),
  ];
  if (owners.length === 0 && (search.states === undefined || isOfFew(search))) return from(search);
  if (isOfFew(search)) return from(others, { more: owners.map(isOwnedByLook) });
  // Most pages of whoever has many are among the newest; whoever has few is found by its accounts.
  const after = conditionsFor(conditionsOf, { after: search.after }, binding);
  const among = `SELECT * FROM channels c WHERE ${[...after, "true"].join(" AND ")} ORDER BY c.created_at DESC, c.id DESC LIMIT ${MOST_WALKED}`;
  const walked = from({ states: search.states }, { of: `(${among})`, more: owners.map(isOwnedByLook) });
  const owned = `(SELECT * FROM channels c WHERE ${owners.map(isOwned).join(" AND ")} OFFSET 0)`;
  const all = owners.length === 0 ? from(search) : from(others, { of: owned });
  return `SELECT * FROM (WITH walked AS MATERIALIZED (${walked}) SELECT * FROM walked WHERE (SELECT count(*) FROM walked) >= ${limit}
  UNION ALL SELECT * FROM (${all}) c WHERE (SELECT count(*) FROM walked) < ${limit}) c ${page}`;
}

/** What finds few channels, whoever has them. */
function isOfFew({ channels, accounts, states }: Search): boolean {
  const isRare = states?.every((state) => state === "failing" || state === "paused") ?? false;
  return channels !== undefined || accounts !== undefined || isRare;
}

/** SQL for the time, and for some channels with their columns. */
const matching = (channels: string, { put }: Binding) =>
  `WITH t AS (SELECT coalesce(${put(databaseTime())}::timestamptz, clock_timestamp()) AS now),
k AS MATERIALIZED (${channels})`;

const samples: Search[] = [
  ...samplesOf<Required<Search>>({
    channels: ["a"],
    accounts: ["a"],
    application: "a",
    within: ["a"],
    states: ["failing"],
    after: { at: "2025-06-01T00:00:00Z", id: "" },
  }),
  { within: ["a", "b"] },
  { states: ["active"] },
  { states: ["paused"] },
  { states: ["closed"] },
  { states: ["active", "failing", "paused", "closed"] },
];

export const endpointPage = composed<Search & { limit: number }, StoredEndpoint>({
  compose: ({ limit, ...search }, binding) => {
    return `${matching(newest(search, `${binding.put(limit)}::int`, binding), binding)}
SELECT k.id, k.callback_url AS "callbackUrl", a.application_id AS "applicationId", p.name AS "applicationName", k.account_id AS "accountId",
  coalesce(a.application_calendar_id, nullif(a.email, ''), a.name) AS "accountName", k.created_at AS "createdAt",
  ${placeTime("k.created_at")} AS "placeAt", k.closed_at AS "closedAt", k.closed_by AS "closedBy",
  k.failures AS "consecutiveFailures", k.failing AND p.disabled_at IS NULL AS failing, k.paused_at AS "pausedAt", CASE WHEN k.failing AND p.disabled_at IS NULL THEN k.failing_since END AS "failingSince", m.*
FROM k JOIN accounts a ON a.id = k.account_id JOIN applications p ON p.id = a.application_id
CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE is_new))::int AS attempts, (count(*) FILTER (WHERE is_new AND arrived))::int AS successes,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE is_new) AS "p50Ms",
    percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FILTER (WHERE is_new) AS "p95Ms",
    max(started_at) AS "lastAttemptAt", ${lastFailure}
  FROM (SELECT *, started_at > ${since(24)} AS is_new FROM (${attemptsOf("k.id")}) a) a) m
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
    attempts: int4,
    successes: int4,
    p50Ms: nullable(int4),
    p95Ms: nullable(int4),
    consecutiveFailures: int4,
    failing: bool,
    pausedAt: nullable(timestamp),
    failingSince: nullable(timestamp),
    lastAttemptAt: nullable(timestamp),
    failedAt: nullable(timestamp),
    failedStatus: nullable(int4),
    failedError: nullable(text),
  },
  samples: samples.map((search) => ({ ...search, limit: 1 })),
});

/** Up to one more than the cap. */
export const endpointCount = composed<EndpointSearch, { count: number }>({
  compose: (search, binding) => {
    const where = [...conditionsFor(conditionsOf, search, binding), "true"].join(" AND ");
    return `SELECT count(*)::int AS count FROM (SELECT FROM channels c WHERE ${where} LIMIT ${MOST_COUNTED + 1}) k`;
  },
  columns: { count: int4 },
  samples: samples.map(({ after: _, ...search }) => search),
});
