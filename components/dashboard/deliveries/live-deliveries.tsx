"use client";

import type { DeliveryFilterParams } from "@/components/dashboard/deliveries/filters";
import { useLive } from "@/components/dashboard/live/live";
import { staffClient } from "@/components/dashboard/staff-client";

type PulseInput = Parameters<typeof staffClient.deliveries.pulse.query>[0];

/** Keeps the first page of the list up to date, and the delivery that is open. */
export function LiveDeliveries({
  filters,
  seen,
}: {
  filters: DeliveryFilterParams & { open?: string };
  seen: unknown;
}) {
  return useLive(() => staffClient.deliveries.pulse.query(filters as PulseInput), JSON.stringify(filters), seen);
}
