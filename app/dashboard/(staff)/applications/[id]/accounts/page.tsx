import { Suspense } from "react";
import { AccountListing } from "@/app/dashboard/(staff)/accounts/listing";
import { accountOf, OpenAccount } from "@/app/dashboard/(staff)/accounts/open-account";
import { type ApplicationParams, titled } from "@/app/dashboard/(staff)/applications/[id]/application";
import { accountFilterChips, accountSearch } from "@/components/dashboard/accounts/filters";
import { address, firstOf, type Params } from "@/components/dashboard/address/address";
import { applicationPath } from "@/components/dashboard/applications/tabs";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";

export const generateMetadata = titled("Accounts", accountOf);

export default async function ApplicationAccounts({
  params,
  searchParams,
}: ApplicationParams & { searchParams: Promise<Params> }) {
  const { api, operator } = await staffPage();
  const { id } = await params;
  const query = await searchParams;
  const path = applicationPath(id, "accounts");
  const now = clock().now();
  const open = firstOf(query, "open");
  const closed = address(path, query, { open: null });
  return (
    <>
      <FilterBar path={path} params={query} search={accountSearch} filters={accountFilterChips()} />
      <Suspense fallback={<SkeletonRows />}>
        <AccountListing api={api} path={path} params={query} now={now} ofApplication={id} />
      </Suspense>
      {open && (
        <PanelFrame id={open} closeHref={closed} label={`Account ${open}`}>
          <Suspense key={open} fallback={<PanelSkeleton closeHref={closed} />}>
            <OpenAccount id={open} isAdmin={operator.role === "admin"} closeHref={closed} now={now} />
          </Suspense>
        </PanelFrame>
      )}
    </>
  );
}
