import { reading } from "@/app/dashboard/(staff)/reading";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { groupingOf, periodOf } from "@/components/dashboard/requests/error-filters";
import { ErrorTable } from "@/components/dashboard/requests/error-table";
import { LiveRequests } from "@/components/dashboard/requests/live-requests";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

interface ErrorListingProps {
  api: StaffCaller;
  /** The path of the page, and of the request list that its rows link to. */
  path: string;
  requestsPath: string;
  params: Params;
  now: number;
  /** The only application whose errors are counted. */
  application?: string;
}

export async function ErrorListing({ api, path, requestsPath, params, now, application }: ErrorListingProps) {
  const { value: range, label, hours } = periodOf(params);
  const by = groupingOf(params);
  const statusClass: ("4xx" | "5xx")[] = ["4xx", "5xx"];
  const filters = { statusClass, application };
  const pulse = await reading(api.requests.pulse(filters));
  const groups = await reading(api.requests.errors({ hours, application, by }));
  if (groups.fault !== undefined) {
    return (
      <ErrorState title="Invalid filters" action={<LinkButton href={path}>Clear filters</LinkButton>}>
        {groups.fault} Change or clear the filters.
      </ErrorState>
    );
  }
  const chosen = firstOf(params, "application");
  return (
    <>
      {groups.value.length === 0 && (
        <EmptyState title="No errors">
          4xx and 5xx responses in the {label.toLowerCase()} are counted here by route and error key.
        </EmptyState>
      )}
      {groups.value.length > 0 && (
        <ErrorTable
          path={requestsPath}
          groups={groups.value}
          {...{ range, by, now }}
          application={chosen}
          isOfOneApplication={application !== undefined && chosen === undefined}
        />
      )}
      <LiveRequests filters={filters} seen={pulse.value} />
    </>
  );
}
