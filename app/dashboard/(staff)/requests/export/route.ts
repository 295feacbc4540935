import { requestColumns } from "@/components/dashboard/requests/columns";
import { requestFilters } from "@/components/dashboard/requests/filters";
import { shownTimesOf } from "@/components/ui/shown-times";
import { zonedIso } from "@/components/ui/zoned-time";
import { csvResponse } from "@/server/http/csv";
import { exportResponse } from "@/server/http/staff/reading-response";
import type { StaffCaller } from "@/server/services/staff/api";

const PAGE = 100;
type ListInput = Parameters<StaffCaller["requests"]["list"]>[0];

export function GET(request: Request): Promise<Response> {
  const { zone } = shownTimesOf(request.headers.get("cookie"));
  const time = (iso: string) => zonedIso(iso, zone);
  return exportResponse(request, async ({ api, now, params, exported }) => {
    const input = requestFilters(params, now);
    const list = (after?: string) => api.requests.list({ ...input, after, limit: PAGE } as ListInput);
    const first = await list();
    await exported("requests", input);
    return csvResponse({ name: "requests", columns: requestColumns, time, first, more: list });
  });
}
