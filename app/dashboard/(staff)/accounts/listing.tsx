import { OpenAccount } from "@/app/dashboard/(staff)/accounts/open-account";
import type { Listing } from "@/app/dashboard/(staff)/staff-list";
import { AccountTable } from "@/components/dashboard/accounts/account-table";
import { EmptyState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";
import { type AccountRow, accountList } from "@/server/services/staff/lists/accounts";

type Input = Parameters<StaffCaller["accounts"]["list"]>[0];

export const accounts: Listing<typeof accountList, AccountRow, Input> = {
  list: accountList,
  title: "Accounts",
  refused: { title: "Invalid search", advice: "Change or clear the filters." },
  page: (api, input) => api.accounts.list(input),
  count: (api, input) => api.accounts.count(input),
  table: ({ path, params, now, isOfOneApplication }, rows) => (
    <AccountTable {...{ path, params, now, rows, isOfOneApplication }} />
  ),
  nothing: ({ chosen }, clear) => (
    <Nothing isFiltered={Object.values(chosen).some((value) => value !== undefined)} clear={clear} />
  ),
  panel: {
    thing: "Account",
    open: ({ now }, id, closeHref) => <OpenAccount id={id} closeHref={closeHref} now={now} />,
  },
};

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
