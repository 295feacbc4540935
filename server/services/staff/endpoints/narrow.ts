import type { Query } from "@/server/db/client";
import { type NamedObjects, namedAccount, resolveSearch } from "@/server/services/staff/deliveries/narrow";
import type { endpointList } from "@/server/services/staff/lists/endpoints";
import { intersection } from "@/server/services/staff/lists/intersection";
import type { FilterValues } from "@/server/services/staff/lists/list";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";

/** Filters of endpoints after their names were looked up. An omitted one does not narrow. */
export interface EndpointSearch {
  channels?: string[];
  accounts?: string[];
  application?: string;
  /** Restricts the search to these applications. */
  within?: readonly string[];
  states?: FilterValues<typeof endpointList.filters>["state"];
}

/** Resolves the names in filters, within some applications or all. Null: nothing can match. */
export async function narrowEndpoints(
  query: Query,
  { q, account, application, state }: FilterValues<typeof endpointList.filters>,
  within: VisibleApplications,
): Promise<EndpointSearch | null> {
  const [named, owner]: [NamedObjects, NamedObjects] = await Promise.all([
    q === undefined ? {} : resolveSearch(query, q, within),
    account === undefined ? {} : namedAccount(query, account, within),
  ]);
  if (application !== undefined && named.application !== undefined && application !== named.application) return null;
  const accounts = intersection([named.accounts, owner.accounts]);
  const channels = named.delivery ? [named.delivery.channelId] : named.channels;
  if (within?.length === 0 || accounts?.length === 0 || channels?.length === 0 || named.delivery === null) return null;
  return {
    ...(channels && { channels }),
    ...(accounts && { accounts }),
    ...((application ?? named.application) !== undefined && { application: application ?? named.application }),
    ...(within && { within }),
    ...(state && state.length > 0 && { states: state }),
  };
}
