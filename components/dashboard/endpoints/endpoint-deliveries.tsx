import { narrowed } from "@/components/dashboard/address/paths";
import { DeliveryTable } from "@/components/dashboard/deliveries/delivery-table";
import { LiveDeliveries } from "@/components/dashboard/deliveries/live-deliveries";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import type { EndpointPage } from "@/server/services/staff/endpoints/shapes";
import { deliveryList } from "@/server/services/staff/lists/deliveries";

interface EndpointDeliveriesProps {
  endpoint: Pick<EndpointPage, "id" | "deliveries" | "pulse">;
  now: number;
}

/** Shows the newest deliveries of an endpoint, and keeps the page up to date. */
export function EndpointDeliveries({ endpoint: { id, deliveries, pulse }, now }: EndpointDeliveriesProps) {
  return (
    <section aria-labelledby="recent" className="border-t pt-3">
      <div className="flex items-baseline justify-between gap-4 px-6 pb-1 text-13 max-sm:px-4">
        <h2 id="recent" className="font-medium">
          Recent deliveries
        </h2>
        {deliveries.length > 0 && <DetailLink href={narrowed(deliveryList.path, "channel", id)}>View all</DetailLink>}
      </div>
      {deliveries.length > 0 ? (
        <DeliveryTable rows={deliveries} params={{ channel: id }} now={now} />
      ) : (
        <p className="px-6 pb-6 text-13 text-faint max-sm:px-4">
          No deliveries in the last 30 days. A change in the account’s calendars or a test event creates one.
        </p>
      )}
      <LiveDeliveries filters={{ channel: id }} seen={pulse} />
    </section>
  );
}
