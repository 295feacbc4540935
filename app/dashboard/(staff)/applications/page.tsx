import { Suspense } from "react";
import { OpenApplication } from "@/app/dashboard/(staff)/applications/open-application";
import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { ApplicationTable } from "@/components/dashboard/applications/application-table";
import { RegisterApplication } from "@/components/dashboard/applications/register-application";
import { APPLICATIONS } from "@/components/dashboard/applications/words";
import { Deferred } from "@/components/dashboard/live/deferred";
import { PageHead } from "@/components/dashboard/page-head";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { EmptyState } from "@/components/ui/notice";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { ApplicationRow } from "@/server/services/staff/applications/shapes";

export const metadata = { title: "Applications" };

export default async function Applications({ searchParams }: { searchParams: Promise<Params> }) {
  const { api, operator } = await staffPage();
  const params = await searchParams;
  const listing = api.applications.list();
  const isAdmin = operator.role === "admin";
  const open = firstOf(params, "open");
  const closed = address(APPLICATIONS, params, { open: null });
  return (
    <>
      <PageHead
        title="Applications"
        count={<Deferred of={listing.then((rows) => <Count count={rows.length} />)} />}
        actions={isAdmin && <RegisterApplication />}
      />
      <Suspense fallback={<SkeletonRows />}>
        <Listing of={listing} isAdmin={isAdmin} params={params} />
      </Suspense>
      {open && (
        <PanelFrame id={open} closeHref={closed} label={`Application ${open}`}>
          <Suspense key={open} fallback={<PanelSkeleton closeHref={closed} />}>
            <OpenApplication api={api} id={open} isAdmin={isAdmin} params={params} now={clock().now()} />
          </Suspense>
        </PanelFrame>
      )}
    </>
  );
}

interface ListingProps {
  of: Promise<ApplicationRow[]>;
  isAdmin: boolean;
  params: Params;
}

async function Listing({ of: listing, isAdmin, params }: ListingProps) {
  const rows = await listing;
  return rows.length > 0 ? <ApplicationTable rows={rows} params={params} /> : <Nothing isAdmin={isAdmin} />;
}

function Nothing({ isAdmin }: { isAdmin: boolean }) {
  return (
    <EmptyState title="No applications yet">
      {isAdmin
        ? "Register your first application to get a client ID and client secret."
        : "An admin can register one to get a client ID and client secret."}
    </EmptyState>
  );
}
