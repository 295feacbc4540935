import { composed, samplesOf } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { bool, int4, nullable, oneOf, statement, text, textOf, timestamp } from "@/server/db/statement";
import type { NarrowedFilters } from "@/server/services/staff/deliveries/narrow";
import { isOverdue, isRetrying, rowColumns, type StoredRow, storedRow } from "@/server/services/staff/deliveries/rows";
import { countOf, matchingDeliveries, orderOf, selectDeliveries } from "@/server/services/staff/deliveries/selection";
import type { DeliveryPulse } from "@/server/services/staff/deliveries/shapes";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";
import { MOST_COUNTED, PAGE, type PageCursor, placeTime } from "@/server/services/staff/lists/paging";
import { MOST_LOOKS } from "@/server/services/staff/procedure/scope";
import { type Days, daysBetween, everyDay, isOfDays, isOfDaysFound } from "@/server/store/deliveries/days";

const everything: NarrowedFilters = {
  delivery: null,
  channels: null,
  applications: null,
  states: [],
  pending: null,
  errorClasses: [],
  statusClasses: [],
  types: [],
  late: false,
  from: null,
  to: null,
};

/** Filters without an owner, with one owner, and with two, as samples. */
const kinds: Partial<NarrowedFilters>[] = [
  ...samplesOf<Partial<NarrowedFilters>>({
    delivery: { id: "a", at: "2025-06-01T00:00:00Z" },
    states: ["failed"],
    errorClasses: ["dns"],
    statusClasses: ["2xx", "none"],
    types: ["verification"],
    late: true,
    from: 0,
    to: 1,
  }),
  { states: ["delivered"], statusClasses: ["4xx"] },
  { states: ["pending"], pending: "queued" },
  { states: ["pending", "failed"], pending: "retrying" },
  { types: ["change"], statusClasses: ["2xx"] },
];
const ownerKinds: Partial<NarrowedFilters>[] = [
  {},
  { applications: ["a"] },
  { applications: ["a", "b"] },
  { channels: ["a"] },
  { channels: Array.from({ length: MOST_LOOKS + 1 }, String) },
];
const samples = kinds.flatMap((kind) =>
  ownerKinds.map((owner) => ({ narrowed: { ...everything, ...kind, ...owner } })),
);

export interface PageInput {
  narrowed: NarrowedFilters;
  after?: PageCursor;
  limit: number;
  /** Only these days are read. */
  days: Days;
  /** The oldest first, instead of the newest. */
  isOldestFirst?: boolean;
}

const pageSamples = samples.flatMap((sample): PageInput[] => [
  { ...sample, limit: 1, days: everyDay },
  { ...sample, limit: 1, days: daysBetween(0, 1) },
  { ...sample, limit: 1, days: everyDay, after: { at: "2025-06-01T00:00:00Z", id: "" } },
  { ...sample, limit: 1, days: everyDay, after: { at: "2025-06-01T00:00:00Z", id: "" }, isOldestFirst: true },
]);

const owners =
  "JOIN channels c ON c.id = d.channel_id LEFT JOIN applications p ON p.id = d.application_id LEFT JOIN accounts o ON o.id = d.account_id";

export const deliveryPage = composed<PageInput, StoredRow>({
  compose: ({ narrowed, after, limit, days, isOldestFirst }, binding) => {
    const rows = selectDeliveries(narrowed, { after, most: limit, days, isOldestFirst }, binding);
    const ofDays = isOfDaysFound("d", days, binding.put);
    const now = `coalesce(${binding.put(databaseTime())}::timestamptz, clock_timestamp())`;
    return `WITH k AS MATERIALIZED (${rows})
SELECT ${rowColumns(now)} FROM k JOIN deliveries d ON d.id = k.id AND ${["d.created_at = k.created_at", ...ofDays].join(" AND ")} ${owners}
${orderOf("k", isOldestFirst)}`;
  },
  columns: storedRow,
  samples: pageSamples,
});

/** How many of the newest pending deliveries are sorted by their next attempt, of which no index has their owners. */
const MOST_SORTED = MOST_COUNTED;
/** Follows the time of every next attempt. */
const NONE_DUE = "9999-12-31T00:00:00Z";

/** Pending deliveries in the order of their next attempts. `dueAt` is to the microsecond. */
export const nextAttempts = composed<Omit<PageInput, "days">, StoredRow & { dueAt: string }>({
  compose: ({ narrowed, after, limit }, binding) => {
    const { put } = binding;
    const only = { ...narrowed, states: ["pending"] };
    const pending = selectDeliveries(only, { most: MOST_SORTED, columns: ["next_attempt_at"] }, binding);
    const place = after ? `WHERE (due, id) > (${put(after.at)}::timestamptz, ${put(after.id)}::text)` : "";
    const now = `coalesce(${put(databaseTime())}::timestamptz, clock_timestamp())`;
    return `WITH k AS MATERIALIZED (SELECT * FROM (SELECT id, created_at, coalesce(next_attempt_at, '${NONE_DUE}') AS due FROM (${pending}) d) d
  ${place} ORDER BY due, id LIMIT ${put(limit)}::int)
SELECT ${rowColumns(now)}, ${placeTime("k.due")} AS "dueAt" FROM k JOIN deliveries d ON d.id = k.id AND d.created_at = k.created_at AND d.state = 'pending' ${owners}
ORDER BY k.due, k.id`;
  },
  columns: { ...storedRow, dueAt: text },
  samples: pageSamples,
});

/** The ids of a replay's next piece. */
export const deliveryIds = composed<PageInput, PageCursor>({
  compose: ({ narrowed, after, limit, days }, binding) => {
    const rows = selectDeliveries(narrowed, { after, most: limit, days }, binding);
    return `SELECT k.id, ${placeTime("k.created_at")} AS at FROM (${rows}) k ORDER BY k.created_at DESC, k.id DESC`;
  },
  columns: { id: text, at: text },
  samples: pageSamples,
});

export const deliveryCount = composed<{ narrowed: NarrowedFilters; most: number }, { n: number }>({
  compose: ({ narrowed, most }, binding) => countOf(narrowed, most, binding),
  columns: { n: int4 },
  samples: samples.map((sample) => ({ ...sample, most: MOST_COUNTED })),
});

/** Deliveries by state, and whether nothing can be sent to their channel anymore. */
interface RetryGroup {
  state: DeliveryState;
  closed: boolean;
  n: number;
}

export const retryGroups = composed<{ narrowed: NarrowedFilters; most: number }, RetryGroup>({
  compose: ({ narrowed, most }, binding) =>
    `SELECT d.state, c.closed_at IS NOT NULL OR c.id IS NULL AS closed, count(*)::int AS n
FROM (${selectDeliveries(narrowed, { most, columns: ["state", "channel_id"] }, binding)}) d LEFT JOIN channels c ON c.id = d.channel_id GROUP BY 1, 2`,
  columns: { state: oneOf<DeliveryState>(), closed: bool, n: int4 },
  samples: samples.map((sample) => ({ ...sample, most: MOST_COUNTED })),
});

type BarKind = "delivered" | "failed" | "cancelled" | "queued" | "retrying";

export interface ChartGroup {
  at: Date;
  kind: BarKind;
  retried: boolean;
  class: string | null;
  n: number;
}

const chartColumns = (
  minutes: string,
) => `date_bin(make_interval(mins => ${minutes}::int), d.created_at, '2000-01-01Z') AS at,
  CASE WHEN d.state <> 'pending' THEN d.state::text WHEN ${isRetrying} THEN 'retrying' ELSE 'queued' END AS kind, d.attempts > 1 AS retried,
  CASE WHEN d.state <> 'delivered' THEN coalesce(d.last_error, d.last_status / 100 || 'xx') END AS class`;

export const chartGroups = composed<{ narrowed: NarrowedFilters; minutes: number }, ChartGroup>({
  compose: ({ narrowed, minutes }, binding) => {
    const rows = matchingDeliveries(narrowed, chartColumns(binding.put(minutes)), binding);
    return `SELECT at, kind, retried, class, count(*)::int AS n FROM (${rows}) r GROUP BY 1, 2, 3, 4`;
  },
  columns: { at: timestamp, kind: textOf<BarKind>(), retried: bool, class: nullable(text), n: int4 },
  samples: samples.map((sample) => ({ ...sample, minutes: 5 })),
});

/** A text that changes with each attempt: its beginning counts it; its end sets the result and when the next one is due. */
const footprint = `concat_ws(' ', d.id, d.state, d.attempts, coalesce(d.last_status, 0), coalesce(d.last_error, '-'), coalesce(d.replay_from, -1), d.next_attempt_at)`;

export const footprintOfDelivery = statement<{ footprint: string }>(
  `SELECT ${footprint} AS footprint FROM deliveries d WHERE d.id = $1 AND ${isOfDays("d", "$2", "$3")}`,
  { footprint: text },
);

/** `shown`: how many rows the page shows. Pending deliveries are counted in all days. */
export const pulseOfDeliveries = composed<
  { narrowed: NarrowedFilters; days: Days },
  Omit<DeliveryPulse, "open"> & { shown: number }
>({
  compose: ({ narrowed, days }, binding) => {
    const first = selectDeliveries(narrowed, { most: PAGE, days }, binding);
    const ofDays = isOfDaysFound("d", days, binding.put);
    const isPendingAsked = narrowed.states.length === 0 || narrowed.states.includes("pending");
    const most = isPendingAsked ? MOST_COUNTED : 0;
    const pending = selectDeliveries(
      { ...narrowed, states: ["pending"] },
      { most, columns: ["next_attempt_at"] },
      binding,
    );
    const now = `coalesce(${binding.put(databaseTime())}::timestamptz, clock_timestamp())`;
    return `WITH k AS MATERIALIZED (${first}), shown AS (SELECT md5(string_agg(${footprint}, ',' ORDER BY d.created_at DESC, d.id DESC)) AS page
  FROM k JOIN deliveries d ON d.id = k.id AND ${["d.created_at = k.created_at", ...ofDays].join(" AND ")})
SELECT (SELECT id FROM k ORDER BY created_at DESC, id DESC LIMIT 1) AS newest, (SELECT coalesce(page, '') FROM shown) AS page, (SELECT count(*)::int FROM k) AS shown,
  count(*)::int AS pending, (count(*) FILTER (WHERE ${isOverdue(now)}))::int AS late
FROM (${pending}) d`;
  },
  columns: { newest: nullable(text), page: text, shown: int4, pending: int4, late: int4 },
  samples: samples.map((sample) => ({ ...sample, days: everyDay })),
});
