import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { channelsInResponses, type DeliveryByName, deliveryByName } from "@/server/services/staff/deliveries/names.sql";
import type { VisibleApplications } from "@/server/services/staff/procedure/scope";
import { findDelivery } from "@/server/store/deliveries/days";

/**
 * Loads the delivery whose id is searched for: lists then look for it, or for what belongs to it, in its days. Returns
 * null when there is none.
 */
export async function namedDelivery(
  query: Query,
  id: string,
  within: VisibleApplications,
): Promise<DeliveryByName | null> {
  const [named] = await findDelivery(id, ({ from, before }) => run(query, deliveryByName, [id, within, from, before]));
  return named ?? null;
}

/**
 * Finds the channels that requests of this id opened: such a request caused their verification, and the log keeps the
 * channel's id from the response. A request id may be the caller's own and is not unique.
 */
export async function channelsOpenedBy(
  query: Query,
  requestId: string,
  within: VisibleApplications,
): Promise<string[]> {
  const rows = await run(query, channelsInResponses, [requestId, within]);
  return rows.flatMap(({ id }) => id ?? []);
}
