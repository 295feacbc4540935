import { queriedFilters } from "@/components/dashboard/filters/queried";
import { shownTimesOf } from "@/components/ui/shown-times";
import { zonedIso } from "@/components/ui/zoned-time";
import { csvResponse } from "@/server/http/csv";
import { exportResponse } from "@/server/http/staff/reading-response";
import type { StaffCaller } from "@/server/services/staff/api";
import type { ExportedList } from "@/server/services/staff/lists/exporting";
import type { Columns, ListFilters } from "@/server/services/staff/lists/list";
import type { Page } from "@/server/services/staff/lists/paging";

const PAGE = 100;

interface Exported<Row, Input> {
  list: { name: ExportedList; filters: ListFilters; columns: Columns<Row> };
  page(api: StaffCaller, input: Input): Promise<Page<Row>>;
}

/** Creates the route that exports a list as CSV, filtered like its page, with times as the dashboard shows them. */
export function exportOf<Row, Input>({ list, page }: Exported<Row, Input>) {
  return (request: Request): Promise<Response> => {
    const { zone } = shownTimesOf(request.headers.get("cookie"));
    const time = (iso: string) => zonedIso(iso, zone);
    return exportResponse(request, async ({ api, now, params, exported }) => {
      const filters = queriedFilters(list, params, now);
      // The query may contain anything: the procedure rejects what it does not know.
      const more = (after?: string) => page(api, { ...filters, after, limit: PAGE } as Input);
      const first = await more();
      await exported(list.name, filters);
      return csvResponse({ name: list.name, columns: list.columns, time, first, more });
    });
  };
}
