import { reading } from "@/app/dashboard/(staff)/reading";
import { cursorOf, firstOf, type Params } from "@/components/dashboard/address/address";
import { Pager } from "@/components/dashboard/address/pager";
import { absenceWords } from "@/components/dashboard/deliveries/absence-words";
import { DeliveryTable } from "@/components/dashboard/deliveries/delivery-table";
import { DELIVERIES, deliveryFilters } from "@/components/dashboard/deliveries/filters";
import { LiveDeliveries } from "@/components/dashboard/deliveries/live-deliveries";
import { LinkButton } from "@/components/ui/button";
import { EmptyState, ErrorState } from "@/components/ui/notice";
import type { StaffCaller } from "@/server/services/staff/api";

type ListInput = Parameters<StaffCaller["deliveries"]["list"]>[0];
type Absent = Parameters<StaffCaller["deliveries"]["absence"]>[0];
type Pulsed = Parameters<StaffCaller["deliveries"]["pulse"]>[0];

export async function DeliveryListing({ api, params, now }: { api: StaffCaller; params: Params; now: number }) {
  const filters = deliveryFilters(params, now);
  const isFirst = !cursorOf(params);
  const watched = { ...filters, open: firstOf(params, "open") };
  const pulse = isFirst ? await reading(api.deliveries.pulse(watched as Pulsed)) : null;
  const page = await reading(api.deliveries.list({ ...filters, after: cursorOf(params) } as ListInput));
  const clear = <LinkButton href={DELIVERIES}>Show all deliveries</LinkButton>;
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
      {items.length === 0 && <Nothing api={api} filters={filters} clear={clear} now={now} />}
      {items.length > 0 && <DeliveryTable rows={items} params={params} now={now} />}
      {isFirst && <LiveDeliveries filters={watched} seen={pulse?.value} />}
      <Pager path={DELIVERIES} params={params} next={next} />
    </>
  );
}

interface NothingProps {
  api: StaffCaller;
  filters: ReturnType<typeof deliveryFilters>;
  clear: React.ReactNode;
  now: number;
}

async function Nothing({ api, filters, clear, now }: NothingProps) {
  if (Object.values(filters).some((value) => value !== undefined)) {
    const { value } = await reading(api.deliveries.absence(filters as Absent));
    const { title, text } = absenceWords(value ?? { reason: "nothing" }, { now, filters });
    return (
      <EmptyState title={title} action={clear}>
        {text}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deliveries yet">
      When an application creates a channel with <code className="font-mono">POST /v1/channels</code>, its verification
      appears here, followed by a delivery for each change to the account’s events.
    </EmptyState>
  );
}
