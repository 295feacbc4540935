import { Suspense } from "react";
import { type ListParams, listed } from "@/app/dashboard/(staff)/listed";
import { reading } from "@/app/dashboard/(staff)/reading";
import { RequestListing } from "@/app/dashboard/(staff)/requests/listing";
import { OpenRequest, requestOf } from "@/app/dashboard/(staff)/requests/open-request";
import { address, firstOf } from "@/components/dashboard/address/address";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { Deferred } from "@/components/dashboard/live/deferred";
import { PageHead } from "@/components/dashboard/page-head";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { REQUESTS, requestFilterChips, requestFilters, requestSearch } from "@/components/dashboard/requests/filters";
import { RequestViews } from "@/components/dashboard/requests/views";
import { LinkButton } from "@/components/ui/button";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

export const generateMetadata = listed("Requests", requestOf);

type CountInput = Parameters<StaffCaller["requests"]["count"]>[0];

export default async function Requests({ searchParams }: ListParams) {
  const { api } = await staffPage();
  const params = await searchParams;
  const now = clock().now();
  const counting = reading(api.requests.count(requestFilters(params, now) as CountInput));
  const applications = await api.applications.names();
  const open = firstOf(params, "open");
  const closed = address(REQUESTS, params, { open: null });
  return (
    <>
      <PageHead
        title="Requests"
        count={<Deferred of={counting.then(({ value }) => value && <Count {...value} />)} />}
        actions={
          <>
            {/* Left to the browser, which goes to the sign-in page where it would save that under `download`. */}
            <LinkButton
              look="quiet"
              href={address(`${REQUESTS}/export`, params, { after: null, open: null })}
              target="_top"
            >
              Export CSV
            </LinkButton>
            <RequestViews here={REQUESTS} params={params} />
          </>
        }
      />
      <FilterBar
        path={REQUESTS}
        params={params}
        search={requestSearch}
        filters={requestFilterChips(applications.map(({ id, name }) => ({ value: id, label: name })))}
      />
      <Suspense fallback={<SkeletonRows />}>
        <RequestListing api={api} path={REQUESTS} params={params} now={now} />
      </Suspense>
      {open && (
        <PanelFrame id={open} closeHref={closed} label={`Request ${open}`}>
          <Suspense key={open} fallback={<PanelSkeleton closeHref={closed} />}>
            <OpenRequest id={open} closeHref={closed} now={now} />
          </Suspense>
        </PanelFrame>
      )}
    </>
  );
}
