import { Suspense } from "react";
import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { Charts } from "@/app/dashboard/(staff)/requests/traffic/charts";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { trafficFilterChips, trafficRangeOf } from "@/components/dashboard/requests/traffic-filters";
import { SkeletonRows } from "@/components/ui/skeleton";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Traffic");

export default async function ApplicationTraffic({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const { id } = await params;
  const given = await searchParams;
  const query = { range: firstOf(given, "range") && trafficRangeOf(given).value };
  const path = applicationPath(id, "traffic");
  return (
    <>
      <FilterBar path={path} params={query} filters={trafficFilterChips()} />
      <Suspense fallback={<SkeletonRows />}>
        <Charts api={api} path={path} requestsPath={applicationPath(id, "requests")} params={query} application={id} />
      </Suspense>
    </>
  );
}
