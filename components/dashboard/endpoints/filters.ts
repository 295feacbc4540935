import type { Params } from "@/components/dashboard/address/address";
import { endpointStateOptions } from "@/components/dashboard/endpoints/words";
import { queriedFilters } from "@/components/dashboard/filters/queried";
import { chipsOf, type Filter, type Option } from "@/components/dashboard/filters/spec";
import { endpointList } from "@/server/domain/staff-lists";

export const ENDPOINTS = "/dashboard/endpoints";

export const endpointSearch = { name: "q", label: "Search endpoints", placeholder: "ID, callback URL or email" };

/** The chips of the list of endpoints. Without applications: of a list of one application's. */
export function endpointFilterChips(applications?: readonly Option[]): Filter[] {
  const chips = chipsOf(endpointList, {
    state: { label: "State", options: endpointStateOptions },
    application: { label: "Application", options: applications ?? [] },
    account: { label: "Account", placeholder: "acc_… or anna@acme.com", hint: "Full ID or email." },
  });
  return applications ? chips : chips.filter(({ name }) => name !== "application");
}

/** The query as the procedures take it. */
export function endpointFilters(params: Params) {
  return queriedFilters(endpointList, params);
}
