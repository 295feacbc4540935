"use client";

import type { QueriedFilters } from "@/components/dashboard/filters/queried";
import { useLive } from "@/components/dashboard/live/live";
import { staffClient } from "@/components/dashboard/staff-client";
import type { deliveryList } from "@/server/services/staff/lists/deliveries";

type PulseInput = Parameters<typeof staffClient.deliveries.pulse.query>[0];

/** Keeps the first page of the list and the open delivery up to date. */
export function LiveDeliveries({
  filters,
  seen,
}: {
  filters: QueriedFilters<typeof deliveryList> & { open?: string };
  seen: unknown;
}) {
  return useLive(() => staffClient.deliveries.pulse.query(filters as PulseInput), JSON.stringify(filters), seen);
}
