import type { Listing, ListView } from "@/app/dashboard/(staff)/staff-list";
import { EndpointTable } from "@/components/dashboard/endpoints/endpoint-table";
import { endpointStateOptions } from "@/components/dashboard/endpoints/words";
import { Selection } from "@/components/dashboard/selection/selection";
import { EmptyState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";
import { type EndpointRow, endpointList } from "@/server/services/staff/lists/endpoints";

type Input = Parameters<StaffCaller["endpoints"]["list"]>[0];

export const endpoints: Listing<typeof endpointList, EndpointRow, Input> = {
  list: endpointList,
  title: "Endpoints",
  refused: { title: "Invalid filter", advice: "Fix or clear the filter." },
  page: (api, input) => api.endpoints.list(input),
  count: (api, input) => api.endpoints.count(input),
  tabs: { filter: "state", label: "State", options: endpointStateOptions },
  options: { state: endpointStateOptions },
  table: ({ path, params, now, isOfOneApplication }, rows) => (
    <Selection kind="endpoints" ids={rows.map(({ id }) => id)}>
      <EndpointTable {...{ path, params, now, rows, isOfOneApplication }} />
    </Selection>
  ),
  nothing: ({ chosen }, clear) => <Nothing filters={chosen} clear={clear} />,
};

interface NothingProps {
  filters: ListView<typeof endpointList>["chosen"];
  clear: React.ReactNode;
}

function Nothing({ filters, clear }: NothingProps) {
  const { state, ...others } = filters;
  const isNarrow = Object.values(others).some((value) => value !== undefined);
  if (state?.length === 1 && state[0] === "failing" && !isNarrow) {
    return (
      <EmptyState title="No failing endpoints" action={clear}>
        An endpoint is failing after 3 failed attempts in a row.
      </EmptyState>
    );
  }
  if (isNarrow || state) {
    return (
      <EmptyState title="No matching endpoints" action={clear}>
        Search by a full ID, or by the start of a URL, a path, a domain, an email address or an application_calendar_id.
        Query strings aren’t searched.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No endpoints yet">
      An endpoint appears here when an application creates a channel with{" "}
      <code className="font-mono whitespace-nowrap">POST /v1/channels</code>.
    </EmptyState>
  );
}
