import { reading } from "@/app/dashboard/(staff)/reading";
import { cursorOf, type Params } from "@/components/dashboard/address";
import { DeliveryTable } from "@/components/dashboard/deliveries/delivery-table";
import { DELIVERIES, deliveryFilters } from "@/components/dashboard/deliveries/filters";
import { LiveDeliveries } from "@/components/dashboard/deliveries/live-deliveries";
import { Pager } from "@/components/dashboard/pager";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

type Asked = Parameters<StaffCaller["deliveries"]["list"]>[0];
type Pulsed = Parameters<StaffCaller["deliveries"]["pulse"]>[0];

export async function DeliveryListing({ api, params, now }: { api: StaffCaller; params: Params; now: number }) {
  const filters = deliveryFilters(params, now);
  const isFirst = !cursorOf(params);
  const pulse = isFirst ? await reading(api.deliveries.pulse(filters as Pulsed)) : null;
  const page = await reading(api.deliveries.list({ ...filters, after: cursorOf(params) } as Asked));
  const clear = <LinkButton href={DELIVERIES}>Show all deliveries</LinkButton>;
  if (page.fault !== undefined) {
    return (
      <ErrorState title="These filters cannot be read" action={clear}>
        {page.fault} Nothing is lost: take out or mend the filter.
      </ErrorState>
    );
  }
  const { items, next } = page.value;
  return (
    <>
      {items.length === 0 && <Nothing isFiltered={Object.values(filters).some(Boolean)} clear={clear} />}
      {items.length > 0 && <DeliveryTable rows={items} params={params} now={now} />}
      {isFirst && <LiveDeliveries filters={filters} seen={pulse?.value} />}
      <Pager path={DELIVERIES} params={params} next={next} />
    </>
  );
}

function Nothing({ isFiltered, clear }: { isFiltered: boolean; clear: React.ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState title="No delivery matches" action={clear}>
        Deliveries are kept for 30 days after they ended. A search by id takes the whole id.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deliveries yet">
      An application opens a channel with <code className="font-mono">POST /v1/channels</code>; its verification is the
      first delivery, and each change to the account’s events is one more.
    </EmptyState>
  );
}
