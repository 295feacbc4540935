"use client";

import { useLive } from "@/components/dashboard/live/live";
import type { RequestFilterParams } from "@/components/dashboard/requests/filters";
import { staffClient } from "@/components/dashboard/staff-client";

type PulseInput = Parameters<typeof staffClient.requests.pulse.query>[0];

/** Keeps what is shown of the newest requests up to date. */
export function LiveRequests({ filters, seen }: { filters: Partial<RequestFilterParams>; seen: unknown }) {
  return useLive(() => staffClient.requests.pulse.query(filters as PulseInput), JSON.stringify(filters), seen);
}
