import type { ReactNode } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { cursorOf, type Params } from "@/components/dashboard/address/address";
import { Pager } from "@/components/dashboard/address/pager";
import { requestFilters } from "@/components/dashboard/requests/filters";
import { REQUESTS_KEPT } from "@/components/dashboard/requests/kept";
import { LiveRequests } from "@/components/dashboard/requests/live-requests";
import { NotStored } from "@/components/dashboard/requests/not-stored";
import { RequestTable } from "@/components/dashboard/requests/request-table";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

type ListInput = Parameters<StaffCaller["requests"]["list"]>[0];
type Application = Parameters<StaffCaller["requests"]["notStored"]>[0];
type Pulsed = Parameters<StaffCaller["requests"]["pulse"]>[0];

interface RequestListingProps {
  api: StaffCaller;
  /** Of the page. */
  path: string;
  params: Params;
  now: number;
  /** The only one whose requests the page shows. */
  ofApplication?: string;
}

export async function RequestListing({ api, path, params, now, ofApplication }: RequestListingProps) {
  const chosen = requestFilters(params, now);
  const filters = ofApplication === undefined ? chosen : { ...chosen, application: ofApplication };
  const isFirst = !cursorOf(params);
  const pulse = isFirst ? await reading(api.requests.pulse(filters as Pulsed)) : null;
  const page = await reading(api.requests.list({ ...filters, after: cursorOf(params) } as ListInput));
  const clear = <LinkButton href={path}>Show all requests</LinkButton>;
  if (page.fault !== undefined) {
    return (
      <ErrorState title="Invalid filters" action={clear}>
        {page.fault} Change or clear the filters.
      </ErrorState>
    );
  }
  const { items, next } = page.value;
  const { application, ...others } = filters;
  const isOfAll = isFirst && !Object.values(others).some(Boolean);
  const notStored = isOfAll ? await api.requests.notStored({ application } as Application) : null;
  const isOneId = items.length > 1 && items.every(({ requestId }) => requestId === filters.id);
  return (
    <>
      {isOneId && (
        <p className="border-t px-6 py-2 text-13 text-faint max-sm:px-4">
          Several requests have this ID. Clients can send their own request ID and reuse it.
        </p>
      )}
      {notStored && <NotStored {...notStored} />}
      {items.length === 0 && <Nothing isFiltered={Object.values(chosen).some(Boolean)} clear={clear} />}
      {items.length > 0 && (
        <RequestTable {...{ path, params, now }} rows={items} isOfOneApplication={ofApplication !== undefined} />
      )}
      {isFirst && <LiveRequests filters={filters} seen={pulse?.value} />}
      <Pager path={path} params={params} next={next} />
    </>
  );
}

function Nothing({ isFiltered, clear }: { isFiltered: boolean; clear: ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState title="No matching requests" action={clear}>
        {REQUESTS_KEPT} Search by a full ID, such as the one in the <code className="font-mono">Svc-Request-Id</code>{" "}
        response header, or by the start of an email address, a callback URL or an application_calendar_id.
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
