import { composed } from "@/server/db/composed";
import { nullable, text } from "@/server/db/statement";
import { smallPart, timePart, wholePart } from "@/server/store/events/pages/records";
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
  scanned: "o.uid, s.number, o.event_id, o.all_day, o.starts, o.ends, o.free_busy",
  // In the order in which rows.ts reads them.
  fields: ({ frame }) => ["k.uid", ...(frame.includeIds ? [field("to_json(k.event_id)")] : [])],
  record: [
    timePart("k.starts"),
    timePart("k.ends"),
    wholePart("k.number"),
    smallPart(
      "CASE k.free_busy WHEN 'busy' THEN 0 WHEN 'tentative' THEN 1 ELSE 2 END + CASE WHEN k.all_day THEN 4 ELSE 0 END",
    ),
  ],
  hasNumbers: true,
};

export const freeBusyPages = composed<PageRequest, PageResult & { calendars: string | null }>({
  compose: (request, binding) => pageStatement(request, shape, binding),
  columns: (request) => ({ ...pageColumns(request), calendars: nullable(text) }),
  isKept: isKeptPage,
  samples: pageSamples("free_busy"),
});
