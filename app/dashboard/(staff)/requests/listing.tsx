import type { ReactNode } from "react";
import { OpenRequest } from "@/app/dashboard/(staff)/requests/open-request";
import type { Listing, ListView } from "@/app/dashboard/(staff)/staff-list";
import { cursorOf } from "@/components/dashboard/address/address";
import { ExportLink } from "@/components/dashboard/address/export-link";
import { LiveRequests } from "@/components/dashboard/requests/live-requests";
import { NotStored } from "@/components/dashboard/requests/not-stored";
import { RequestTable } from "@/components/dashboard/requests/request-table";
import { RequestViews } from "@/components/dashboard/requests/views";
import { REQUESTS_KEPT } from "@/components/dashboard/requests/words";
import { EmptyState } from "@/components/ui/notice";
import { env } from "@/server/env";
import type { StaffCaller } from "@/server/services/staff/api";
import { type RequestRow, requestList } from "@/server/services/staff/lists/requests";

type Input = Parameters<StaffCaller["requests"]["list"]>[0];
type Pulsed = Parameters<StaffCaller["requests"]["pulse"]>[0];
type Application = Parameters<StaffCaller["requests"]["notStored"]>[0];

export const requests: Listing<typeof requestList, RequestRow, Input> = {
  list: requestList,
  title: "Requests",
  refused: { title: "Invalid filters", advice: "Change or clear the filters." },
  page: (api, input) => api.requests.list(input),
  count: (api, input) => api.requests.count(input),
  table: ({ path, params, now, isOfOneApplication, isOfOneAccount }, rows) => (
    <RequestTable {...{ path, params, now, rows, isOfOneApplication, isOfOneAccount }} />
  ),
  nothing: ({ chosen, isOfOneAccount }, clear) => (
    <Nothing isFiltered={Object.values(chosen).some(Boolean)} isOfOneAccount={isOfOneAccount} clear={clear} />
  ),
  actions: ({ path, params }) => (
    <>
      <ExportLink path={path} params={params} />
      <RequestViews here={path} params={params} />
    </>
  ),
  notes: notesOf,
  live: {
    pulse: ({ api, filters }) => api.requests.pulse(filters as Pulsed),
    watch: ({ filters }, seen) => <LiveRequests filters={filters} seen={seen} />,
  },
  panel: {
    thing: "Request",
    open: ({ now }, id, closeHref) => <OpenRequest id={id} closeHref={closeHref} now={now} />,
  },
};

/** Shows notes about several requests with the ID searched for, and requests without a row in the log. */
async function notesOf({ api, params, filters }: ListView<typeof requestList>, rows: readonly RequestRow[]) {
  const { application, ...others } = filters;
  const isOfAll = !cursorOf(params) && !Object.values(others).some(Boolean);
  const notStored = isOfAll ? await api.requests.notStored({ application } as Application) : null;
  const isOneId = rows.length > 1 && rows.every(({ requestId }) => requestId === filters.id);
  return (
    <>
      {isOneId && (
        <p className="border-t px-6 py-2 text-13 text-faint max-sm:px-4">
          Several requests have this ID. Clients can send their own request ID and reuse it.
        </p>
      )}
      <NotStored count={notStored?.count} readShare={env().REQUEST_LOG_SAMPLE} />
    </>
  );
}

interface NothingProps {
  isFiltered: boolean;
  isOfOneAccount: boolean;
  clear: ReactNode;
}

function Nothing({ isFiltered, isOfOneAccount, clear }: NothingProps) {
  if (isFiltered) {
    return (
      <EmptyState title="No matching requests" action={clear}>
        {REQUESTS_KEPT} Search by a full ID, such as the one in the <code className="font-mono">Svc-Request-Id</code>{" "}
        response header, or by the start of an email address, a callback URL or an application_calendar_id.
      </EmptyState>
    );
  }
  if (isOfOneAccount) {
    return (
      <EmptyState title="No requests for this account">
        Requests that use one of the account’s tokens appear here within a second. {REQUESTS_KEPT}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No requests yet">
      Requests to <code className="font-mono">/v1</code> and <code className="font-mono">/oauth</code> appear here
      within a second. Try <code className="font-mono">POST /v1/application_calendars</code>: it needs no account.
    </EmptyState>
  );
}
