import type { Params } from "@/components/dashboard/address/address";
import { rangeOf } from "@/components/dashboard/address/time-range";
import { errorOptions, stateOptions } from "@/components/dashboard/deliveries/words";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { chipsOf, type Filter, type Option, optionsOf } from "@/components/dashboard/filters/spec";
import { deliveryList } from "@/server/domain/staff-lists";

export const DELIVERIES = "/dashboard/deliveries";

/** The chips of the list of deliveries. */
export function deliveryFilterChips(applications: readonly Option[]): Filter[] {
  const { host, statusClass } = deliveryList;
  return chipsOf(deliveryList, {
    state: { label: "State", options: stateOptions },
    range: { label: "Created" },
    application: { label: "Application", options: applications },
    account: { label: "Account", placeholder: "acc_… or anna@acme.com", hint: "Full ID or email." },
    channel: { label: "Channel", placeholder: "chn_…", hint: "Also shows the channel’s health." },
    host: { label: "Host", placeholder: "hooks.acme.com", hint: host.about },
    statusClass: { label: "Response", options: optionsOf(statusClass.values, { none: "no response" }) },
    late: { label: "Late", options: [{ value: "true", label: "over 30 seconds" }] },
    errorClass: { label: "Error", options: errorOptions },
    type: { label: "Type" },
  });
}

/** The query as the procedures take it. */
export function deliveryFilters(params: Params, now: number) {
  return { ...queriedFilters(deliveryList, params), ...rangeOf(params, now) };
}

export type DeliveryFilterParams = ReturnType<typeof deliveryFilters>;
