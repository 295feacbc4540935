import { composed } from "@/server/db/composed";
import { pageSamples } from "@/server/db/pages/samples";
import {
  isKeptPage,
  type PageRequest,
  type PageResult,
  type PageShape,
  pageColumns,
  pageStatement,
} from "@/server/db/pages/statement";
import { field } from "@/server/db/pages/text";

const shape: PageShape = {
  scanned: "o.uid, o.calendar_id, o.event_id, o.all_day, o.starts, o.ends, o.free_busy",
  // As rows.ts reads them.
  fields: ({ frame }, p) => [
    "k.uid",
    "k.calendar_id",
    field("CASE WHEN k.all_day THEN date_part('epoch', k.at) END"),
    "k.free_busy",
    field(`CASE WHEN ${p.put(frame.includeIds, "boolean")} THEN to_json(k.event_id) END`),
  ],
  times: ["k.starts", "k.ends"],
};

export const freeBusyPages = composed<PageRequest, PageResult>({
  compose: (request, binding) => pageStatement(request, shape, binding),
  columns: pageColumns,
  isKept: isKeptPage,
  samples: pageSamples("free_busy"),
});
