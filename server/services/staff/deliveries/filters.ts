import { z } from "zod";
import { deliveryList, isGiven } from "@/server/services/staff/lists/deliveries";
import { filterInput } from "@/server/services/staff/lists/filter-input";

export const deliveryFilters = filterInput(deliveryList.filters);
export const deliveryFilter = z.object(deliveryFilters);
export type DeliveryFilters = z.output<typeof deliveryFilter>;

/** Returns filters as they were requested, to store and to show them. */
export function requestedFilters({ from, to, ...rest }: DeliveryFilters): Record<string, string | string[] | true> {
  const all: Record<string, string | string[] | true | undefined> = {
    ...rest,
    from: from && iso(from.micros),
    to: to && iso(to.micros),
  };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (isGiven(value) ? [[name, value]] : [])));
}

const MICROS_IN_MS = 1_000;

function iso(micros: number): string {
  const ms = Math.floor(micros / MICROS_IN_MS);
  return new Date(ms).toISOString().replace("Z", `${String(micros - ms * MICROS_IN_MS).padStart(3, "0")}Z`);
}
