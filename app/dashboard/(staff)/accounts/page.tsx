import { Suspense } from "react";
import { AccountListing } from "@/app/dashboard/(staff)/accounts/listing";
import { accountOf, OpenAccount } from "@/app/dashboard/(staff)/accounts/open-account";
import { type ListParams, listed } from "@/app/dashboard/(staff)/listed";
import { reading } from "@/app/dashboard/(staff)/reading";
import { ACCOUNTS, accountFilterChips, accountFilters, accountSearch } from "@/components/dashboard/accounts/filters";
import { address, firstOf } from "@/components/dashboard/address/address";
import { FilterBar } from "@/components/dashboard/filters/filter-bar";
import { Deferred } from "@/components/dashboard/live/deferred";
import { PageHead } from "@/components/dashboard/page-head";
import { PanelFrame } from "@/components/dashboard/panel/panel-frame";
import { PanelSkeleton } from "@/components/dashboard/panel/panel-skeleton";
import { Count } from "@/components/ui/number";
import { SkeletonRows } from "@/components/ui/skeleton";
import { clock } from "@/server/clock";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

export const generateMetadata = listed("Accounts", accountOf);

type CountInput = Parameters<StaffCaller["accounts"]["count"]>[0];

export default async function Accounts({ searchParams }: ListParams) {
  const { api, operator } = await staffPage();
  const params = await searchParams;
  const now = clock().now();
  const counting = reading(api.accounts.count(accountFilters(params) as CountInput));
  const applications = await api.applications.names();
  const open = firstOf(params, "open");
  const closed = address(ACCOUNTS, params, { open: null });
  return (
    <>
      <PageHead
        title="Accounts"
        count={<Deferred of={counting.then(({ value }) => value && <Count {...value} />)} />}
      />
      <FilterBar
        path={ACCOUNTS}
        params={params}
        search={accountSearch}
        filters={accountFilterChips(applications.map(({ id, name }) => ({ value: id, label: name })))}
      />
      <Suspense fallback={<SkeletonRows />}>
        <AccountListing api={api} path={ACCOUNTS} params={params} now={now} />
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
