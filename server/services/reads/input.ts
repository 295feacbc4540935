import { z } from "zod";
import { MAX_ID } from "@/server/domain/text-limits";
import type { NamedZone } from "@/server/domain/time/named-zone";
import {
  type Bound,
  boundInstant,
  clampWindow,
  READ_WINDOW_DAYS_AHEAD,
  READ_WINDOW_DAYS_BACK,
} from "@/server/domain/window";
import {
  always,
  calendarIdsQuery,
  dayOrTime,
  queryBoolean,
  refused,
  text,
  time,
  timeZone,
} from "@/server/services/fields";
import { type Input, inputOf, rawInput } from "@/server/services/input";
import { queryFormIssues } from "@/server/services/reads/query-form";
import type { Frame } from "@/server/store/events/pages/frame";

/** The query parameters of a first page that both reads have ("Common query parameters"). */
const commonQuery = {
  tzid: timeZone.describe(
    "The IANA time zone for dates in the request, such as `Europe/Paris`. Already part of `pages.next_page`.",
  ),
  from: dayOrTime
    .describe(
      `Start of the window: a date in \`tzid\`, or a time with an offset. Default: ${READ_WINDOW_DAYS_BACK} days ago.`,
    )
    .optional(),
  to: dayOrTime
    .describe(
      `End of the window (exclusive), in the same format as \`from\`. Default: ${READ_WINDOW_DAYS_AHEAD} days from now.`,
    )
    .optional(),
  calendar_ids: calendarIdsQuery
    .describe("Return only these calendars. Repeat the parameter for each one. Default: every calendar of the account.")
    .optional(),
  include_managed: queryBoolean.describe("Include events your application created."),
  localized_times: queryBoolean.describe("Return times with the offset of `tzid` instead of UTC."),
};

export const freeBusyQuery = z
  .object({
    ...commonQuery,
    include_ids: queryBoolean.describe("Include the `event_id` of events your application created."),
  })
  .superRefine(orderedBounds, always);

export const eventsQuery = z
  .object({
    ...commonQuery,
    only_managed: queryBoolean.describe("Return only events your application created."),
    include_deleted: queryBoolean.describe("Include deleted events, marked with `deleted: true`."),
    last_modified: time
      .describe(
        "Return only events that changed at or after this time. Pass the `changes_since` of a notification here.",
      )
      .optional(),
  })
  .superRefine(orderedBounds, always);

/** A later page: the first page fixed everything but the cursor. A second `?…` that some clients append is cut off. */
export const cursorQuery = z.object({
  cursor: z.preprocess(
    (value) => (typeof value === "string" ? value.split("?", 1)[0] : value),
    text({ min: 1, max: MAX_ID }).describe(
      "Identifies a later page. Take it from `pages.next_page`; all other parameters are then ignored.",
    ),
  ),
});

type FirstPage = z.output<typeof eventsQuery> | z.output<typeof freeBusyQuery>;

export type ReadInput = { kind: "first"; query: FirstPage } | { kind: "later"; cursor: string };

/** All names of both reads: a parameter of the other read is no error, and is ignored. */
const queryNames = [eventsQuery, freeBusyQuery, cursorQuery].flatMap(({ shape }) => Object.keys(shape));

/** Creates the input of a read: the query of a first page, or a cursor. */
export function readInput(schema: typeof eventsQuery | typeof freeBusyQuery): Input<ReadInput> {
  const first = inputOf(schema, queryFormIssues([...new Set(queryNames)]));
  const later = inputOf(cursorQuery);
  return rawInput((raw) =>
    typeof raw === "object" && raw !== null && "cursor" in raw
      ? { kind: "later", cursor: later(raw).cursor }
      : { kind: "first", query: first(raw) },
  );
}

/** Returns what a first page fixes for the following ones; calendars are still ids. */
export function frameOf(query: FirstPage, now: number): Frame {
  const { zone, tzid } = query.tzid;
  const window = clampWindow(
    { from: query.from && boundInstant(query.from, zone), to: query.to && boundInstant(query.to, zone) },
    now as Parameters<typeof clampWindow>[1],
  );
  const onlyManaged = "only_managed" in query && query.only_managed;
  return {
    tzid,
    localized: query.localized_times,
    managed: onlyManaged ? "own" : query.include_managed ? "both" : "unmanaged",
    includeIds: "include_ids" in query && query.include_ids,
    includeDeleted: "include_deleted" in query && query.include_deleted,
    modifiedSince: "last_modified" in query && query.last_modified ? query.last_modified.micros : null,
    calendars: null,
    ...window,
  };
}

/**
 * Checks the order of the bounds even if other fields are invalid, so that all errors are reported together. Its input
 * may then be incomplete.
 */
function orderedBounds(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const half = value as { tzid?: Partial<NamedZone>; from?: Partial<Bound>; to?: Partial<Bound> } | null;
  const zone = half?.tzid?.zone;
  if (!zone || !half.from?.kind || !half.to?.kind) return;
  if (boundInstant(half.to as Bound, zone) > boundInstant(half.from as Bound, zone)) return;
  issues.push({ ...refused(half.to, { key: "errors.invalid" }, "must be after from"), path: ["to"] });
}
