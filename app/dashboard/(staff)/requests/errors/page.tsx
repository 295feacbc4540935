import { Suspense } from "react";
import { ErrorListing } from "@/app/dashboard/(staff)/requests/errors/listing";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { PageHead } from "@/components/dashboard/page-head";
import { errorFilterChips, periodOf, REQUEST_ERRORS } from "@/components/dashboard/requests/error-filters";
import { RequestViews } from "@/components/dashboard/requests/views";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import { requestList } from "@/server/services/staff/lists/requests";

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
        <ErrorListing
          api={api}
          path={REQUEST_ERRORS}
          requestsPath={requestList.path}
          params={params}
          now={clock().now()}
          application={firstOf(params, "application")}
        />
      </Suspense>
    </>
  );
}
