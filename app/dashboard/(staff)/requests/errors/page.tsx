import { Suspense } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { PageHead } from "@/components/dashboard/page-head";
import { errorFilterChips, periodOf, REQUEST_ERRORS } from "@/components/dashboard/requests/error-filters";
import { ErrorTable } from "@/components/dashboard/requests/error-table";
import { LiveRequests } from "@/components/dashboard/requests/live-requests";
import { RequestViews } from "@/components/dashboard/requests/views";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

export const metadata = { title: "Errors by type" };

export default async function RequestErrors({ searchParams }: { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const given = await searchParams;
  const { value, label } = periodOf(given);
  const params = { ...given, range: firstOf(given, "range") && value };
  const applications = await api.applications.names();
  return (
    <>
      <PageHead
        title="Requests"
        count={`errors in the ${label.toLowerCase()}`}
        actions={<RequestViews here={REQUEST_ERRORS} params={params} />}
      />
      <FilterBar
        path={REQUEST_ERRORS}
        params={params}
        filters={errorFilterChips(applications.map(({ id, name }) => ({ value: id, label: name })))}
      />
      <Suspense fallback={<SkeletonRows />}>
        <Errors api={api} params={params} now={clock().now()} />
      </Suspense>
    </>
  );
}

async function Errors({ api, params, now }: { api: StaffCaller; params: Params; now: number }) {
  const { value: range, label, hours } = periodOf(params);
  const application = firstOf(params, "application");
  const statusClass: ("4xx" | "5xx")[] = ["4xx", "5xx"];
  const filters = { statusClass, application };
  const pulse = await reading(api.requests.pulse(filters));
  const groups = await reading(api.requests.errors({ hours, application }));
  if (groups.fault !== undefined) {
    return (
      <ErrorState title="Invalid filters" action={<LinkButton href={REQUEST_ERRORS}>Clear filters</LinkButton>}>
        {groups.fault} Change or clear the filters.
      </ErrorState>
    );
  }
  return (
    <>
      {groups.value.length === 0 && (
        <EmptyState title="No errors">
          4xx and 5xx responses in the {label.toLowerCase()} are counted here by endpoint and error key.
        </EmptyState>
      )}
      {groups.value.length > 0 && <ErrorTable groups={groups.value} {...{ range, application, now }} />}
      <LiveRequests filters={filters} seen={pulse.value} />
    </>
  );
}
