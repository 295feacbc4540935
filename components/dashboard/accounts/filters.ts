import { firstOf, type Params } from "@/components/dashboard/address/address";
import type { Filter, Option } from "@/components/dashboard/filters/spec";

export const ACCOUNTS = "/dashboard/accounts";

/** The chips of the list of accounts. */
export function accountFilterChips(applications: readonly Option[]): Filter[] {
  return [
    { kind: "one", name: "application", label: "Application", options: applications },
    {
      kind: "one",
      name: "disconnected",
      label: "Profiles",
      options: [
        { value: "true", label: "Any disconnected" },
        { value: "false", label: "All connected" },
      ],
    },
    {
      kind: "one",
      name: "revoked",
      label: "Access",
      options: [
        { value: "false", label: "Active" },
        { value: "true", label: "Revoked" },
      ],
    },
  ];
}

/** The query as the procedures take it. */
export function accountFilters(params: Params) {
  return {
    q: firstOf(params, "q"),
    application: firstOf(params, "application"),
    disconnected: flag(firstOf(params, "disconnected")),
    revoked: flag(firstOf(params, "revoked")),
  };
}

function flag(value: string | undefined): boolean | undefined {
  return value === "true" ? true : value === "false" ? false : undefined;
}
