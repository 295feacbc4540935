"use client";

import type { QueriedFilters } from "@/components/dashboard/filters/queried";
import { useLive } from "@/components/dashboard/live/live";
import { staffClient } from "@/components/dashboard/staff-client";
import type { requestList } from "@/server/services/staff/lists/requests";

type PulseInput = Parameters<typeof staffClient.requests.pulse.query>[0];

/** Keeps the newest requests up to date. */
export function LiveRequests({
  filters,
  seen,
}: {
  filters: Partial<QueriedFilters<typeof requestList>>;
  seen: unknown;
}) {
  return useLive(() => staffClient.requests.pulse.query(filters as PulseInput), JSON.stringify(filters), seen);
}
