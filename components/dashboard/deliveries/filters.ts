import { firstOf, type Params, valuesOf } from "@/components/dashboard/address/address";
import { rangeOf } from "@/components/dashboard/address/time-range";
import { errorOptions, stateOptions } from "@/components/dashboard/deliveries/words";
import type { Filter, Option } from "@/components/dashboard/filters/spec";
import { notificationTypeNames } from "@/server/domain/channels/notification-types";

export const DELIVERIES = "/dashboard/deliveries";

/** The chips of the list of deliveries. */
export function deliveryFilterChips(applications: readonly Option[]): Filter[] {
  return [
    {
      kind: "many",
      name: "state",
      label: "State",
      options: stateOptions,
    },
    { kind: "time", name: "range", label: "Created" },
    { kind: "one", name: "application", label: "Application", options: applications },
    {
      kind: "text",
      name: "account",
      label: "Account",
      placeholder: "acc_… or anna@acme.com",
      hint: "Full ID or email.",
    },
    { kind: "text", name: "channel", label: "Channel", placeholder: "chn_…", hint: "Also shows the channel’s health." },
    {
      kind: "text",
      name: "host",
      label: "Host",
      placeholder: "hooks.acme.com",
      hint: "Full host of the callback URL.",
    },
    {
      kind: "many",
      name: "statusClass",
      label: "Response",
      options: ["2xx", "3xx", "4xx", "5xx", "none"].map((value) => ({
        value,
        label: value === "none" ? "no response" : value,
      })),
    },
    { kind: "one", name: "late", label: "Late", options: [{ value: "true", label: "over 30 seconds" }] },
    { kind: "many", name: "errorClass", label: "Error", options: errorOptions },
    {
      kind: "many",
      name: "type",
      label: "Type",
      options: notificationTypeNames.map((type) => ({ value: type, label: type })),
    },
  ];
}

/** The query as the procedures take it. What stands in it may be anything: they refuse what they do not know. */
export function deliveryFilters(params: Params, now: number) {
  const many = (name: string) => {
    const values = valuesOf(params, name);
    return values.length > 0 ? values : undefined;
  };
  const late = firstOf(params, "late");
  return {
    state: many("state"),
    errorClass: many("errorClass"),
    statusClass: many("statusClass"),
    type: many("type"),
    application: firstOf(params, "application"),
    account: firstOf(params, "account"),
    channel: firstOf(params, "channel"),
    host: firstOf(params, "host"),
    late: late === "true" ? true : late,
    id: firstOf(params, "id"),
    q: firstOf(params, "q"),
    ...rangeOf(params, now),
  };
}

export type DeliveryFilterParams = ReturnType<typeof deliveryFilters>;
