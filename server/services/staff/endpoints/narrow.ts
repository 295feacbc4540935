import type { Query } from "@/server/db/client";
import type { endpointList, FilterValues } from "@/server/domain/staff-lists";
import { type Named, namedAccount, searched } from "@/server/services/staff/deliveries/narrow";
import { inAll } from "@/server/services/staff/lists/in-all";
import type { Within } from "@/server/services/staff/procedure/scope";

/** Filters of endpoints after a look at whom they mean. What is omitted is not narrowed. */
export interface EndpointSearch {
  channels?: string[];
  accounts?: string[];
  application?: string;
  /** Of one of these applications. */
  within?: readonly string[];
  states?: FilterValues<typeof endpointList>["state"];
}

/** Within some applications, or all. Null: nothing can match. */
export async function narrowEndpoints(
  query: Query,
  { q, account, application, state }: FilterValues<typeof endpointList>,
  within: Within,
): Promise<EndpointSearch | null> {
  const [named, owner]: [Named, Named] = await Promise.all([
    q === undefined ? {} : searched(query, q, within),
    account === undefined ? {} : namedAccount(query, account, within),
  ]);
  if (application !== undefined && named.application !== undefined && application !== named.application) return null;
  const accounts = inAll([named.accounts, owner.accounts]);
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
