import { Suspense } from "react";
import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { RequestListing } from "@/app/dashboard/(staff)/requests/listing";
import { OpenRequest, requestOf } from "@/app/dashboard/(staff)/requests/open-request";
import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { requestFilterChips, requestSearch } from "@/components/dashboard/requests/filters";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Requests", requestOf);

export default async function ApplicationRequests({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { api } = await staffPage();
  const { id } = await params;
  const query = await searchParams;
  const path = applicationPath(id, "requests");
  const now = clock().now();
  const open = firstOf(query, "open");
  const closed = address(path, query, { open: null });
  return (
    <>
      <FilterBar path={path} params={query} search={requestSearch} filters={requestFilterChips()} />
      <Suspense fallback={<SkeletonRows />}>
        <RequestListing api={api} path={path} params={query} now={now} ofApplication={id} />
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
