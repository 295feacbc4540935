import { Suspense } from "react";
import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { ErrorListing } from "@/app/dashboard/(staff)/requests/errors/listing";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { errorFilterChips, periodOf } from "@/components/dashboard/requests/error-filters";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Errors");

export default async function ApplicationErrors({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const { id } = await params;
  const given = await searchParams;
  const query = { range: firstOf(given, "range") && periodOf(given).value, by: firstOf(given, "by") };
  const path = applicationPath(id, "errors");
  return (
    <>
      <FilterBar path={path} params={query} filters={errorFilterChips()} />
      <Suspense fallback={<SkeletonRows />}>
        <ErrorListing
          api={api}
          path={path}
          requestsPath={applicationPath(id, "requests")}
          params={query}
          now={clock().now()}
          application={id}
        />
      </Suspense>
    </>
  );
}
