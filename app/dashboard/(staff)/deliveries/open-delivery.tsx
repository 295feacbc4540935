import { cache } from "react";
import { reading } from "@/app/dashboard/(staff)/reading";
import { DELIVERIES_KEPT } from "@/components/dashboard/deliveries/absence-words";
import { DeliveryPanel } from "@/components/dashboard/deliveries/delivery-panel";
import { Panel } from "@/components/dashboard/panel/panel";
import { EmptyState } from "@/components/ui/notice";
import { staffPage } from "@/server/http/staff/page";
import type { StaffCaller } from "@/server/services/staff/api";

/** Cached, because the panel and the page's status both need it. */
export const deliveryOf = cache(async (id: string) => {
  const { api } = await staffPage();
  return await reading(api.deliveries.get({ id }));
});

interface OpenDeliveryProps {
  api: StaffCaller;
  id: string;
  /** The page's address without the panel. */
  closeHref: string;
  now: number;
}

export async function OpenDelivery({ api, id, closeHref, now }: OpenDeliveryProps) {
  const [found, { role }] = await Promise.all([deliveryOf(id), api.session.me()]);
  if (found.value) {
    return <DeliveryPanel closeHref={closeHref} delivery={found.value} now={now} isAdmin={role === "admin"} />;
  }
  return (
    <Panel closeHref={closeHref} title={id}>
      <EmptyState title="Delivery not found">{DELIVERIES_KEPT}</EmptyState>
    </Panel>
  );
}
