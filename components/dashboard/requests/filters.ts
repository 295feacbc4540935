import { firstOf, type Params, valuesOf } from "@/components/dashboard/address/address";
import { rangeOf } from "@/components/dashboard/address/time-range";
import type { Filter, Option } from "@/components/dashboard/filters/spec";
import { endpoints } from "@/server/domain/endpoints";

export const REQUESTS = "/dashboard/requests";

const methods = ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"];

/** The chips of the list of requests. */
export function requestFilterChips(applications: readonly Option[]): Filter[] {
  return [
    { kind: "many", name: "statusClass", label: "Status", options: same(["2xx", "3xx", "4xx", "5xx"]) },
    { kind: "time", name: "range", label: "Time" },
    { kind: "many", name: "method", label: "Method", options: same(methods) },
    { kind: "one", name: "endpoint", label: "Endpoint", options: same(endpoints) },
    { kind: "one", name: "application", label: "Application", options: applications },
    { kind: "text", name: "account", label: "Account", placeholder: "acc_… or apc_…" },
    {
      kind: "text",
      name: "errorKey",
      label: "Error key",
      placeholder: "errors.required",
      hint: "The key of a 422 error, or an OAuth error such as invalid_grant.",
    },
    { kind: "text", name: "status", label: "Status code", placeholder: "422" },
    {
      kind: "text",
      name: "path",
      label: "Path",
      placeholder: "/v1/calendars/cal_…",
      hint: "The full path, or its beginning up to a slash.",
    },
  ];
}

/** The query as the procedures take it. What stands in it may be anything: they refuse what they do not know. */
export function requestFilters(params: Params, now: number) {
  const many = (name: string) => {
    const values = valuesOf(params, name);
    return values.length > 0 ? values : undefined;
  };
  const status = firstOf(params, "status");
  return {
    method: many("method"),
    path: firstOf(params, "path"),
    endpoint: firstOf(params, "endpoint"),
    statusClass: many("statusClass"),
    status: status !== undefined && /^\d{3}$/.test(status) ? Number(status) : status,
    application: firstOf(params, "application"),
    account: firstOf(params, "account"),
    errorKey: firstOf(params, "errorKey"),
    id: firstOf(params, "id"),
    ...rangeOf(params, now),
  };
}

export type RequestFilterParams = ReturnType<typeof requestFilters>;

function same(values: readonly string[]): Option[] {
  return values.map((value) => ({ value, label: value }));
}
