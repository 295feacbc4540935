import type { Params } from "@/components/dashboard/address/address";
import { rangeOf } from "@/components/dashboard/address/time-range";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { chipsOf, type Filter, type Option, optionsOf } from "@/components/dashboard/filters/spec";
import { endpoints } from "@/server/domain/endpoints";
import { methods, requestList } from "@/server/domain/staff-lists";

export const REQUESTS = "/dashboard/requests";

export const requestSearch = { name: "id", label: "Search requests", placeholder: "ID, callback URL or email" };

/** The chips of the list of requests: of one application there is none to choose. */
export function requestFilterChips(applications?: readonly Option[]): Filter[] {
  const chips = chipsOf(requestList, {
    statusClass: { label: "Status" },
    range: { label: "Time" },
    method: { label: "Method", options: optionsOf(methods) },
    endpoint: { label: "Endpoint", options: optionsOf(endpoints) },
    application: { label: "Application", options: applications ?? [] },
    account: { label: "Account", placeholder: "acc_… or anna@acme.com", hint: "Full ID or email." },
    errorKey: {
      label: "Error key",
      placeholder: "errors.required",
      hint: "The key of a 422 error, or an OAuth error such as invalid_grant.",
    },
    status: { label: "Status code", placeholder: "422" },
    path: {
      label: "Path",
      placeholder: "/v1/calendars/cal_…",
      hint: "The full path, or its beginning up to a slash.",
    },
  });
  return applications ? chips : chips.filter(({ name }) => name !== "application");
}

/** The query as the procedures take it. */
export function requestFilters(params: Params, now: number) {
  return { ...queriedFilters(requestList, params), ...rangeOf(params, now) };
}

export type RequestFilterParams = ReturnType<typeof requestFilters>;
