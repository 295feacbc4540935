import { reading } from "@/app/dashboard/(staff)/reading";
import { AccountTable } from "@/components/dashboard/accounts/account-table";
import { ACCOUNTS, accountFilters } from "@/components/dashboard/accounts/filters";
import { cursorOf, type Params } from "@/components/dashboard/address";
import { Pager } from "@/components/dashboard/pager";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

export async function AccountListing({ api, params, now }: { api: StaffCaller; params: Params; now: number }) {
  const filters = accountFilters(params);
  const page = await reading(api.accounts.list({ ...filters, after: cursorOf(params) } as Asked));
  const clear = <LinkButton href={ACCOUNTS}>Show all accounts</LinkButton>;
  if (page.fault !== undefined) {
    return (
      <ErrorState title="This search cannot be read" action={clear}>
        {page.fault} Nothing is lost: take out or mend the filter.
      </ErrorState>
    );
  }
  const { items, next } = page.value;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      {items.length === 0 && <Nothing isFiltered={isFiltered} clear={clear} />}
      {items.length > 0 && <AccountTable rows={items} params={params} now={now} />}
      <Pager path={ACCOUNTS} params={params} next={next} />
    </>
  );
}

type Asked = Parameters<StaffCaller["accounts"]["list"]>[0];

function Nothing({ isFiltered, clear }: { isFiltered: boolean; clear: React.ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState title="No account matches" action={clear}>
        A search takes a whole id of an account, profile, calendar, channel or application, or the beginning of an
        e-mail address or application_calendar_id.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No accounts yet">
      A person who connects a calendar makes one, and so does{" "}
      <code className="font-mono">POST /v1/application_calendars</code>.
    </EmptyState>
  );
}
