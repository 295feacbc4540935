import { z } from "zod";
import type { Frame } from "@/server/db/pages/frame";
import { type Bound, boundInstant, clampWindow } from "@/server/domain/window";
import { type Accepts, accepting, accepts } from "@/server/services/accepts";
import {
  always,
  dayOrTime,
  type NamedZone,
  queryBoolean,
  refused,
  text,
  time,
  timeZone,
} from "@/server/services/fields";

const MAX_CALENDARS = 100;
const MAX_CURSOR = 600;

/** The query of a first page ("Common query parameters"), without what only one of the two reads knows. */
const commonQuery = {
  tzid: timeZone.describe("The time zone in which dates of the request are read. A `pages.next_page` goes without it."),
  from: dayOrTime
    .describe("The window's start: a date in `tzid`, or a time with an offset. 42 days ago when left out.")
    .optional(),
  to: dayOrTime.describe("The window's end, itself outside it: as `from`. 201 days from now when left out.").optional(),
  calendar_ids: z
    .array(text({ min: 1, max: MAX_CURSOR }))
    .max(MAX_CALENDARS)
    .describe("Only these calendars; every calendar of the account when left out. Repeat the parameter for each.")
    .optional(),
  include_managed: queryBoolean.describe("With events that the application created itself."),
  localized_times: queryBoolean.describe("Times with the offset of `tzid` instead of UTC."),
};

export const freeBusyQuery = z
  .object({
    ...commonQuery,
    include_ids: queryBoolean.describe("With the `event_id` of events that the application created."),
  })
  .superRefine(orderedBounds, always);

export const eventsQuery = z
  .object({
    ...commonQuery,
    only_managed: queryBoolean.describe("Only events that the application created."),
    include_deleted: queryBoolean.describe("With deleted events, whose `deleted` is true."),
    last_modified: time
      .describe("Only events that changed at or after this time, such as the `changes_since` of a notification.")
      .optional(),
  })
  .superRefine(orderedBounds, always);

/** A later page: everything but the cursor is what the first page said. A second `?…` that some clients append is cut off. */
export const cursorQuery = z.object({
  cursor: z.preprocess(
    (value) => (typeof value === "string" ? value.split("?", 1)[0] : value),
    text({ min: 1, max: MAX_CURSOR }).describe(
      "The place of a later page. Not to be built: it comes in `pages.next_page`, and everything else is then ignored.",
    ),
  ),
});

type FirstPage = z.output<typeof eventsQuery> | z.output<typeof freeBusyQuery>;

export type ReadInput = { kind: "first"; query: FirstPage } | { kind: "later"; cursor: string };

/** The input of a read: the query of a first page, or a cursor. */
export function readInput(schema: typeof eventsQuery | typeof freeBusyQuery): Accepts<ReadInput> {
  const first = accepts(schema);
  const later = accepts(cursorQuery);
  return accepting((raw) =>
    typeof raw === "object" && raw !== null && "cursor" in raw
      ? { kind: "later", cursor: later(raw).cursor }
      : { kind: "first", query: first(raw) },
  );
}

/** What a first page fixes for those that follow; its calendars are still ids. */
export function frameOf(query: FirstPage, now: number): Frame {
  const { zone, tzid } = query.tzid;
  const window = clampWindow(
    { from: query.from && boundInstant(query.from, zone), to: query.to && boundInstant(query.to, zone) },
    now as Parameters<typeof clampWindow>[1],
  );
  const onlyManaged = "only_managed" in query && query.only_managed;
  return {
    ...window,
    tzid,
    localized: query.localized_times,
    managed: onlyManaged ? "own" : query.include_managed ? "both" : "foreign",
    includeIds: "include_ids" in query && query.include_ids,
    includeDeleted: "include_deleted" in query && query.include_deleted,
    modifiedSince: "last_modified" in query && query.last_modified ? query.last_modified.micros : null,
    calendars: null,
  };
}

/** Runs also when other fields are at fault, so that all mistakes are reported together; what it sees may then be half read. */
function orderedBounds(value: unknown, { issues }: { issues: z.core.$ZodRawIssue[] }): void {
  const half = value as { tzid?: Partial<NamedZone>; from?: Partial<Bound>; to?: Partial<Bound> } | null;
  const zone = half?.tzid?.zone;
  if (!zone || !half.from?.kind || !half.to?.kind) return;
  if (boundInstant(half.to as Bound, zone) > boundInstant(half.from as Bound, zone)) return;
  issues.push({ ...refused(half.to, { key: "errors.invalid" }, "must be after from"), path: ["to"] });
}
