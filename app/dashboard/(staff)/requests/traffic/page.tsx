import { Suspense } from "react";
import { Charts } from "@/app/dashboard/(staff)/requests/traffic/charts";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { PageHead } from "@/components/dashboard/page-head";
import { REQUEST_TRAFFIC, trafficFilterChips, trafficRangeOf } from "@/components/dashboard/requests/traffic-filters";
import { RequestViews } from "@/components/dashboard/requests/views";
import { SkeletonRows } from "@/components/ui/skeleton";
import { staffPage } from "@/server/http/staff/page";
import { requestList } from "@/server/services/staff/lists/requests";

export const metadata = { title: "Traffic" };

export default async function RequestTraffic({ searchParams }: { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const given = await searchParams;
  const { value, label } = trafficRangeOf(given);
  const params = { ...given, range: firstOf(given, "range") && value };
  const applications = await api.applications.names();
  return (
    <>
      <PageHead
        title="Requests"
        count={`traffic in the ${label.toLowerCase()}`}
        actions={<RequestViews here={REQUEST_TRAFFIC} params={params} />}
      />
      <FilterBar
        path={REQUEST_TRAFFIC}
        params={params}
        filters={trafficFilterChips(applications.map(({ id, name }) => ({ value: id, label: name })))}
      />
      <Suspense fallback={<SkeletonRows />}>
        <Charts
          api={api}
          path={REQUEST_TRAFFIC}
          requestsPath={requestList.path}
          params={params}
          application={firstOf(params, "application")}
        />
      </Suspense>
    </>
  );
}
