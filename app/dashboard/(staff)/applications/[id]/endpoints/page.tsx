import { Suspense } from "react";
import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { EndpointListing } from "@/app/dashboard/(staff)/endpoints/listing";
import type { Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { endpointFilterChips, endpointSearch } from "@/components/dashboard/endpoints/filters";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Endpoints");

export default async function ApplicationEndpoints({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const { id } = await params;
  const query = await searchParams;
  const path = applicationPath(id, "endpoints");
  return (
    <>
      <FilterBar path={path} params={query} search={endpointSearch} filters={endpointFilterChips()} />
      <Suspense fallback={<SkeletonRows />}>
        <EndpointListing api={api} path={path} params={query} now={clock().now()} ofApplication={id} />
      </Suspense>
    </>
  );
}
