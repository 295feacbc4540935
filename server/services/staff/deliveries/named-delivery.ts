import type { Query } from "@/server/db/client";
import { findDelivery } from "@/server/db/delivery-days";
import { run } from "@/server/db/statement";
import { type DeliveryByName, deliveryByName } from "@/server/services/staff/deliveries/names.sql";
import type { Within } from "@/server/services/staff/procedure/scope";

/** The delivery that a search names by its id: lists then look for it, or for what belongs to it, where it is. Null: there is none. */
export async function namedDelivery(query: Query, id: string, within: Within): Promise<DeliveryByName | null> {
  const [named] = await findDelivery(id, ({ from, before }) => run(query, deliveryByName, [id, within, from, before]));
  return named ?? null;
}
