import type { Params } from "@/components/dashboard/address/address";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { chipsOf, type Filter, type Option } from "@/components/dashboard/filters/spec";
import { accountList } from "@/server/domain/staff-lists";

export const ACCOUNTS = "/dashboard/accounts";

export const accountSearch = {
  name: "q",
  label: "Search accounts",
  placeholder: "ID, callback URL or email",
};

/** The chips of the list of accounts: of one application there is none to choose. */
export function accountFilterChips(applications?: readonly Option[]): Filter[] {
  const chips = chipsOf(accountList, {
    application: { label: "Application", options: applications ?? [] },
    disconnected: {
      label: "Profiles",
      options: [
        { value: "true", label: "Any disconnected" },
        { value: "false", label: "All connected" },
      ],
    },
    sync: {
      label: "Sync",
      options: [
        { value: "failing", label: "Failing" },
        { value: "late", label: "Late" },
      ],
    },
    revoked: {
      label: "Access",
      options: [
        { value: "false", label: "Active" },
        { value: "true", label: "Revoked" },
      ],
    },
  });
  return applications ? chips : chips.filter(({ name }) => name !== "application");
}

/** The query as the procedures take it. */
export function accountFilters(params: Params) {
  return queriedFilters(accountList, params);
}
