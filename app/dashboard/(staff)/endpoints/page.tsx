import { Suspense } from "react";
import { EndpointListing } from "@/app/dashboard/(staff)/endpoints/listing";
import { reading } from "@/app/dashboard/(staff)/reading";
import type { Params } from "@/components/dashboard/address/address";
import {
  ENDPOINTS,
  endpointFilterChips,
  endpointFilters,
  endpointSearch,
} from "@/components/dashboard/endpoints/filters";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { Deferred } from "@/components/dashboard/live/deferred";
import { PageHead } from "@/components/dashboard/page-head";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

export const metadata = { title: "Endpoints" };

type CountInput = Parameters<StaffCaller["endpoints"]["count"]>[0];

export default async function Endpoints({ searchParams }: { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const params = await searchParams;
  const now = clock().now();
  const counting = reading(api.endpoints.count(endpointFilters(params) as CountInput));
  const applications = await api.applications.names();
  return (
    <>
      <PageHead
        title="Endpoints"
        count={<Deferred of={counting.then(({ value }) => value && <Count {...value} />)} />}
      />
      <FilterBar
        path={ENDPOINTS}
        params={params}
        search={endpointSearch}
        filters={endpointFilterChips(applications.map(({ id, name }) => ({ value: id, label: name })))}
      />
      <Suspense fallback={<SkeletonRows />}>
        <EndpointListing api={api} params={params} now={now} />
      </Suspense>
    </>
  );
}
