import { reading } from "@/app/dashboard/(staff)/reading";
import { AccountTable } from "@/components/dashboard/accounts/account-table";
import { accountFilters } from "@/components/dashboard/accounts/filters";
import { cursorOf, type Params } from "@/components/dashboard/address/address";
import { Pager } from "@/components/dashboard/address/pager";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

interface AccountListingProps {
  api: StaffCaller;
  /** Of the page. */
  path: string;
  params: Params;
  now: number;
  /** The only one whose accounts the page shows. */
  ofApplication?: string;
}

export async function AccountListing({ api, path, params, now, ofApplication }: AccountListingProps) {
  const chosen = accountFilters(params);
  const filters = ofApplication === undefined ? chosen : { ...chosen, application: ofApplication };
  const page = await reading(api.accounts.list({ ...filters, after: cursorOf(params) } as ListInput));
  const clear = <LinkButton href={path}>Show all accounts</LinkButton>;
  if (page.fault !== undefined) {
    return (
      <ErrorState title="Invalid search" action={clear}>
        {page.fault} Change or clear the filters.
      </ErrorState>
    );
  }
  const { items, next } = page.value;
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  return (
    <>
      {items.length === 0 && <Nothing isFiltered={isFiltered} clear={clear} />}
      {items.length > 0 && (
        <AccountTable {...{ path, params, now }} rows={items} isOfOneApplication={ofApplication !== undefined} />
      )}
      <Pager path={path} params={params} next={next} />
    </>
  );
}

type ListInput = Parameters<StaffCaller["accounts"]["list"]>[0];

function Nothing({ isFiltered, clear }: { isFiltered: boolean; clear: React.ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState title="No matching accounts" action={clear}>
        Search by the full ID of an account or of anything it has, by a client ID, or by the start of an email address,
        a callback URL or an application_calendar_id.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No accounts yet">
      An account is created when a user connects a calendar, or when an application calls{" "}
      <code className="font-mono">POST /v1/application_calendars</code>.
    </EmptyState>
  );
}
