import { redirect } from "next/navigation";
import { Suspense } from "react";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { ApplicationTable } from "@/components/dashboard/applications/application-table";
import { RegisterApplication } from "@/components/dashboard/applications/register-application";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { Deferred } from "@/components/dashboard/live/deferred";
import { PageHead } from "@/components/dashboard/page-head";
import { EmptyState } from "@/components/ui/notice";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { staffPage } from "@/server/http/staff/page";
import type { ApplicationRow } from "@/server/services/staff/applications/shapes";

export const metadata = { title: "Applications" };

export default async function Applications({ searchParams }: { searchParams: Promise<Params> }) {
  const { api, operator } = await staffPage();
  const open = firstOf(await searchParams, "open");
  // Its address before applications had pages.
  if (open) redirect(applicationPath(open));
  const listing = api.applications.list();
  const isAdmin = operator.role === "admin";
  return (
    <>
      <PageHead
        title="Applications"
        count={<Deferred of={listing.then((rows) => <Count count={rows.length} />)} />}
        actions={isAdmin && <RegisterApplication />}
      />
      <Suspense fallback={<SkeletonRows />}>
        <Listing of={listing} isAdmin={isAdmin} />
      </Suspense>
    </>
  );
}

interface ListingProps {
  of: Promise<ApplicationRow[]>;
  isAdmin: boolean;
}

async function Listing({ of: listing, isAdmin }: ListingProps) {
  const rows = await listing;
  return rows.length > 0 ? <ApplicationTable rows={rows} /> : <Nothing isAdmin={isAdmin} />;
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
