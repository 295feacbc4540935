import { accountPath, timelinePath, WHY } from "@/components/dashboard/address/paths";
import { DELIVERIES_KEPT } from "@/components/dashboard/deliveries/absence-words";
import { DeliveryTable } from "@/components/dashboard/deliveries/delivery-table";
import { LiveDeliveries } from "@/components/dashboard/deliveries/live-deliveries";
import { DetailLink } from "@/components/dashboard/panel/detail-link";
import { Section } from "@/components/ui/facts";
import type { DeliveryRow } from "@/server/services/staff/lists/deliveries";

interface RecentDeliveriesProps {
  accountId: string;
  deliveries: readonly DeliveryRow[];
  /** What the list looked like before it was read. */
  pulse: unknown;
  now: number;
}

/** Shows the newest webhooks about an account, and keeps them up to date. */
export function RecentDeliveries({ accountId, deliveries, pulse, now }: RecentDeliveriesProps) {
  const all = accountPath(accountId, "deliveries");
  return (
    <Section
      level={2}
      title="Recent webhooks"
      aside={
        <span className="flex flex-wrap justify-end gap-x-3">
          <DetailLink href={timelinePath(accountId)}>{WHY}</DetailLink>
          {deliveries.length > 0 && <DetailLink href={all}>View all</DetailLink>}
        </span>
      }
    >
      {deliveries.length > 0 ? (
        <div className="-mx-6 -mb-4 max-sm:-mx-4">
          <DeliveryTable path={all} rows={deliveries} params={{}} now={now} isOfOneAccount />
        </div>
      ) : (
        <p className="text-13 text-faint">No webhooks for this account. {DELIVERIES_KEPT}</p>
      )}
      <LiveDeliveries filters={{ account: accountId }} seen={pulse} />
    </Section>
  );
}
