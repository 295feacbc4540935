import { reading } from "@/app/dashboard/(staff)/reading";
import { narrowed } from "@/components/dashboard/address/paths";
import { DeliveryTable } from "@/components/dashboard/deliveries/delivery-table";
import { LiveDeliveries } from "@/components/dashboard/deliveries/live-deliveries";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import type { StaffCaller } from "@/server/services/staff/api";
import { deliveryList } from "@/server/services/staff/lists/deliveries";

const MOST_SHOWN = 20;

interface EndpointDeliveriesProps {
  api: StaffCaller;
  id: string;
  now: number;
}

/** Shows the newest deliveries of an endpoint, and keeps them up to date. */
export async function EndpointDeliveries({ api, id, now }: EndpointDeliveriesProps) {
  const seen = await reading(api.deliveries.pulse({ channel: id }));
  const { value, fault } = await reading(api.deliveries.list({ channel: id, limit: MOST_SHOWN }));
  const items = value?.items ?? [];
  return (
    <section aria-labelledby="recent" className="border-t pt-3">
      <div className="flex items-baseline justify-between gap-4 px-6 pb-1 text-13 max-sm:px-4">
        <h2 id="recent" className="font-medium">
          Recent deliveries
        </h2>
        {items.length > 0 && <DetailLink href={narrowed(deliveryList.path, "channel", id)}>View all</DetailLink>}
      </div>
      {items.length > 0 ? (
        <DeliveryTable rows={items} params={{ channel: id }} now={now} />
      ) : (
        <p className="px-6 pb-6 text-13 text-faint max-sm:px-4">
          {fault ??
            "No deliveries in the last 30 days. A change in the account’s calendars or a test event creates one."}
        </p>
      )}
      <LiveDeliveries filters={{ channel: id }} seen={seen.value} />
    </section>
  );
}
