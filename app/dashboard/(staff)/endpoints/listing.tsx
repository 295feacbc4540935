import { reading } from "@/app/dashboard/(staff)/reading";
import { cursorOf, type Params } from "@/components/dashboard/address/address";
import { Pager } from "@/components/dashboard/address/pager";
import { EndpointTable } from "@/components/dashboard/endpoints/endpoint-table";
import { ENDPOINTS, endpointFilters } from "@/components/dashboard/endpoints/filters";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

type ListInput = Parameters<StaffCaller["endpoints"]["list"]>[0];

interface EndpointListingProps {
  api: StaffCaller;
  /** Of the page. */
  path?: string;
  params: Params;
  now: number;
  /** The only one whose endpoints the page shows. */
  ofApplication?: string;
}

export async function EndpointListing({ api, path = ENDPOINTS, params, now, ofApplication }: EndpointListingProps) {
  const chosen = endpointFilters(params);
  const filters = ofApplication === undefined ? chosen : { ...chosen, application: ofApplication };
  const page = await reading(api.endpoints.list({ ...filters, after: cursorOf(params) } as ListInput));
  const clear = <LinkButton href={path}>Show all endpoints</LinkButton>;
  if (page.fault !== undefined) {
    return (
      <ErrorState title="Invalid filter" action={clear}>
        {page.fault} Fix or clear the filter.
      </ErrorState>
    );
  }
  const { items, next } = page.value;
  return (
    <>
      {items.length === 0 && <Nothing filters={chosen} clear={clear} />}
      {items.length > 0 && <EndpointTable rows={items} now={now} isOfOneApplication={ofApplication !== undefined} />}
      <Pager path={path} params={params} next={next} />
    </>
  );
}

interface NothingProps {
  filters: ReturnType<typeof endpointFilters>;
  clear: React.ReactNode;
}

function Nothing({ filters, clear }: NothingProps) {
  const { state, ...others } = filters;
  const isNarrow = Object.values(others).some((value) => value !== undefined);
  if (state?.length === 1 && state[0] === "failing" && !isNarrow) {
    return (
      <EmptyState title="No failing endpoints" action={clear}>
        An endpoint is failing when its last three attempts failed.
      </EmptyState>
    );
  }
  if (isNarrow || state) {
    return (
      <EmptyState title="No matching endpoints" action={clear}>
        Search by a full ID, or by the start of a URL, a path, a domain, an email address or an application_calendar_id.
        What follows the ? of a callback URL can’t be searched.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No endpoints yet">
      An endpoint appears here when an application creates a channel with{" "}
      <code className="font-mono whitespace-nowrap">POST /v1/channels</code>.
    </EmptyState>
  );
}
