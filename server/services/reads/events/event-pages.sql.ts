import { composed } from "@/server/db/composed";
import { type Column, nullable, text } from "@/server/db/statement";
import { dayPart, smallPart, timePart } from "@/server/store/events/pages/records";
import { type EventTexts, eventColumns } from "@/server/store/events/pages/returned";
import { pageSamples } from "@/server/store/events/pages/samples";
import {
  isKeptPage,
  type PageRequest,
  type PageResult,
  type PageShape,
  pageColumns,
  pageStatement,
} from "@/server/store/events/pages/statement";
import { field } from "@/server/store/events/pages/text";

const shape: PageShape = {
  scanned:
    "o.uid, o.calendar_id, o.master_id, o.all_day, o.starts, o.ends, o.state, o.first, o.day, o.changes, o.updated_at",
  // In the order in which rows.ts reads them.
  fields: () => ["k.uid", "k.master_id", field("k.changes")],
  record: [
    timePart("k.starts"),
    timePart("k.ends"),
    timePart("k.updated_at"),
    dayPart("k.day"),
    smallPart(
      "CASE WHEN k.state = 2 THEN 1 ELSE 0 END + CASE WHEN k.all_day THEN 2 ELSE 0 END + CASE WHEN k.first THEN 4 ELSE 0 END",
    ),
  ],
  events: {
    columns: `e.content_changed_at, e.first_uid, e.conferencing, e.recurrence->'rules' AS rules,
coalesce(e.rendered, rendered_event(e)) AS rendered`,
    fields: [
      field("date_part('epoch', ev.content_changed_at)"),
      field("ev.first_uid"),
      field("ev.conferencing"),
      field("ev.rules"),
      "ev.rendered",
    ],
    bytes: "octet_length(ev.rendered)",
    rowBytes: "coalesce(octet_length(k.changes::text), 0)",
  },
};

const eventTexts = Object.fromEntries(eventColumns.map((name) => [name, nullable(text)])) as Record<
  keyof EventTexts,
  Column<string | null>
>;

export const eventPages = composed<PageRequest, PageResult & EventTexts>({
  compose: (request, binding) => pageStatement(request, shape, binding),
  columns: (request) => ({ ...pageColumns(request), ...eventTexts }),
  isKept: isKeptPage,
  samples: pageSamples("events"),
});
