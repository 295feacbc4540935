import { composed } from "@/server/db/composed";
import { int4, nullable, text } from "@/server/db/statement";
import { MOST_COUNTED, type PageCursor } from "@/server/services/staff/lists/paging";
import type { RequestRow } from "@/server/services/staff/lists/requests";
import {
  type Days,
  facetedRows,
  inOrder,
  owners,
  type RequestSearch,
  requestSamples,
  sampledDays,
  scanned,
  shown,
  shownColumns,
} from "@/server/services/staff/requests/requests.sql";

/** Measures that requests can be sorted by, the highest first. No index has them, so only few enough requests are sorted. */
const measures = { slowest: "duration_ms", status: "status" } as const;
export type RequestMeasure = keyof typeof measures;

/** The place of a row in a sorted list. */
export interface MeasureCursor extends PageCursor {
  value: string;
}

type RankedInput = Omit<RequestSearch, "after" | "isOldestFirst"> & {
  by: RequestMeasure;
  after?: MeasureCursor;
  /** Null: in time order. */
  days: Days | null;
  limit: number;
};

/** The highest of the matching requests. `found`: how many match, up to one more than the cap, above which these are none. */
export const rankedRequests = composed<
  RankedInput,
  Omit<RequestRow, "id"> & { id: string | null; value: string | null; found: number }
>({
  compose: ({ conditions, by, after, days, limit }, binding) => {
    const { put } = binding;
    const most = MOST_COUNTED + 1;
    const some = days
      ? `${facetedRows({ conditions }, { days, selected: scanned }, binding)} LIMIT ${most}`
      : inOrder({ conditions }, { selected: scanned, most }, binding);
    const measure = measures[by];
    const place = after
      ? ` AND (${measure}, at, id) < (${put(after.value)}::float8, ${put(after.at)}::timestamptz, ${put(after.id)}::uuid)`
      : "";
    return `WITH found AS MATERIALIZED (${some}), n AS (SELECT count(*)::int AS found FROM found),
r AS (SELECT * FROM found WHERE (SELECT found FROM n) < ${most}${place} ORDER BY ${measure} DESC, at DESC, id DESC LIMIT ${put(limit)}::int)
SELECT ${shown}, r.${measure}::text AS value, n.found FROM n LEFT JOIN r ON true ${owners} ORDER BY r.${measure} DESC, r.at DESC, r.id DESC`;
  },
  columns: { ...shownColumns, id: nullable(text), value: nullable(text), found: int4 },
  samples: requestSamples
    .filter(({ isOldestFirst }) => !isOldestFirst)
    .flatMap(({ conditions, after }): RankedInput[] => {
      const place = after && { ...after, value: "1.5" };
      return [
        { conditions, after: place, by: "slowest", days: null, limit: 1 },
        { conditions, after: place, by: "status", days: sampledDays, limit: 1 },
      ];
    }),
});
