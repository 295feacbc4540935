import { redirect } from "next/navigation";
import { Suspense } from "react";
import { firstOf, type Params } from "@/components/dashboard/address/address";
import { ApplicationTable } from "@/components/dashboard/applications/application-table";
import { RegisterApplication } from "@/components/dashboard/applications/register-application";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { Deferred } from "@/components/dashboard/live/deferred";
import { NoApplications } from "@/components/dashboard/members/no-applications";
import { PageHead } from "@/components/dashboard/page-head";
import { EmptyState } from "@/components/ui/notice";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { staffPage } from "@/server/http/staff/page";
import type { ApplicationRow } from "@/server/services/staff/applications/shapes";
import type { Role } from "@/server/services/staff/procedure/staff-context";

export const metadata = { title: "Applications" };

export default async function Applications({ searchParams }: { searchParams: Promise<Params> }) {
  const { api, operator } = await staffPage();
  const open = firstOf(await searchParams, "open");
  // The old address, before applications had pages.
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
        <Listing of={listing} role={operator.role} />
      </Suspense>
    </>
  );
}

interface ListingProps {
  of: Promise<ApplicationRow[]>;
  role: Role;
}

async function Listing({ of: listing, role }: ListingProps) {
  const rows = await listing;
  return rows.length > 0 ? <ApplicationTable rows={rows} /> : <Nothing role={role} />;
}

function Nothing({ role }: { role: Role }) {
  if (role === "developer") return <NoApplications />;
  return (
    <EmptyState title="No applications yet">
      {role === "admin"
        ? "Register your first application to get a client ID and client secret."
        : "An admin can register one to get a client ID and client secret."}
    </EmptyState>
  );
}
