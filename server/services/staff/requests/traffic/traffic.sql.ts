import { composed } from "@/server/db/composed";
import { bool, float8, int4, nullable, text } from "@/server/db/statement";
import { inShare, isGood } from "@/server/store/request-logs/request-logs.sql";

interface Span {
  /** The beginning of the first bar, and the end of the last one. */
  from: Date;
  to: Date;
  barMs: number;
  /** Ids of applications. Null: all, and requests of none. */
  within: readonly string[] | null;
}

const span: Span = { from: new Date(0), to: new Date(1), barMs: 60_000, within: null };
const spans: Span[] = [span, { ...span, within: ["app_1"] }];

/** Requests by bar. A bar of hours is read from the counts by hour. */
export const volumeByBar = composed<
  Span & { isHourly: boolean },
  { bar: number; requests: number; clientErrors: number; serverErrors: number }
>({
  compose: ({ from, to, barMs, within, isHourly }, { put }) => {
    const [table, time] = isHourly ? ["request_counts_by_hour", "hour"] : ["request_counts", "minute"];
    const first = put(from);
    const isWithin = within === null ? "" : ` AND application_id = ANY (${put(within)}::text[])`;
    return `SELECT floor(extract(epoch FROM ${time} - ${first}::timestamptz) * 1000 / ${put(barMs)}::int)::int AS bar,
  sum(requests)::int AS requests, sum(client_errors)::int AS "clientErrors", sum(server_errors)::int AS "serverErrors"
FROM ${table} WHERE ${time} >= ${first}::timestamptz AND ${time} < ${put(to)}::timestamptz${isWithin} GROUP BY 1`;
  },
  columns: { bar: int4, requests: int4, clientErrors: int4, serverErrors: int4 },
  samples: spans.flatMap((each) => [true, false].map((isHourly) => ({ ...each, isHourly }))),
});

interface SampledGroup {
  /** Null: a group of a route. */
  bar: number | null;
  isRoute: boolean;
  method: string | null;
  endpoint: string | null;
  sampled: number;
  errors: number;
  p50: number;
  p95: number;
}

/**
 * The latencies of a sample, by bar and by route: the newest requests of each of many slices of the range, so that the
 * index of times, or of an application's times, gives all of them, however many requests there were (ADR 119). Where a
 * slice begins is judged afterwards: PostgreSQL, which can't know how many are in it, would otherwise read and sort it.
 * With a `share`, only rows in it count: of these, successful reads are as many as they were among all requests.
 */
export const sampledTraffic = composed<Span & { slices: number; ofSlice: number; share: number | null }, SampledGroup>({
  compose: ({ from, to, barMs, within, slices, ofSlice, share }, { put }) => {
    const [first, sliceMs] = [put(from), put((to.getTime() - from.getTime()) / slices)];
    const start = (slice: string) =>
      `${first}::timestamptz + make_interval(secs => ${slice} * ${sliceMs}::float8 / 1000)`;
    const end = start("(s.n + 1)");
    // An equation of applications would let PostgreSQL read the times of all of them, to find the few of one.
    const [applications, before, order, isOwn] =
      within === null
        ? ["", `at < ${end}`, "at DESC", ""]
        : [
            ` CROSS JOIN unnest(${put(within)}::text[]) AS p(id)`,
            `(application_id, at) < (p.id, ${end})`,
            "application_id DESC, at DESC",
            " AND r.application_id = p.id",
          ];
    return `WITH sample AS (SELECT floor(extract(epoch FROM r.at - ${first}::timestamptz) * 1000 / ${put(barMs)}::int)::int AS bar,
    r.method, r.endpoint, r.is_good, r.duration_ms
  FROM generate_series(0, ${put(slices)}::int - 1) AS s(n)${applications} CROSS JOIN LATERAL (SELECT id, at, application_id, method, endpoint, duration_ms, ${isGood} AS is_good
    FROM request_logs WHERE ${before} ORDER BY ${order} LIMIT ${put(ofSlice)}::int) r
  WHERE r.at >= ${start("s.n")}${isOwn}${share === null ? "" : ` AND ${inShare("r.id", put(share))}`})
SELECT bar, GROUPING(bar) = 1 AS "isRoute", method, endpoint, count(*)::int AS sampled, (count(*) FILTER (WHERE NOT is_good))::int AS errors,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) AS p50, percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95
FROM sample GROUP BY GROUPING SETS ((bar), (method, endpoint))`;
  },
  columns: {
    ...{ bar: nullable(int4), isRoute: bool, method: nullable(text), endpoint: nullable(text) },
    ...{ sampled: int4, errors: int4, p50: float8, p95: float8 },
  },
  samples: spans.flatMap((each) => [null, 0.5].map((share) => ({ ...each, share, slices: 1, ofSlice: 1 }))),
});
