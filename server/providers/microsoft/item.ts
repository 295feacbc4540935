import type { Person } from "@/server/domain/events/event-state";
import { guestAddress } from "@/server/domain/events/guests";
import { listOf, objectOf, textOf } from "@/server/providers/json-values";

/** An event as Graph has it. Of an occurrence in a delta there is hardly more than its id, its series and its times. */
export type Item = Record<string, unknown> & { id: string };

/** Gives the items of a page; what has no id is no event. Ids are compared byte by byte. */
export function itemsOf(value: unknown): Item[] {
  return listOf(value).filter((item): item is Item => typeof item.id === "string");
}

/** Reads the etag of an item. Returns null if none is given. */
export function etagOf(item: Item): string | null {
  return textOf(item["@odata.etag"]);
}

/** Tells whether change tracking says that it left the view, "represented by their id and an @removed object". */
export function isRemoved(item: Item): boolean {
  return item["@removed"] !== undefined;
}

/** Tells whether it repeats. */
export function isSeries({ type, recurrence }: Item): boolean {
  return type === "seriesMaster" || (typeof recurrence === "object" && recurrence !== null);
}

/** Gives the series that an occurrence or an exception belongs to. Null: it is an event itself. */
export function seriesOf({ seriesMasterId }: Item): string | null {
  return textOf(seriesMasterId) || null;
}

/** Lists the exceptions that were read with their series (`exceptionOccurrences`). */
export function exceptionsOf({ exceptionOccurrences }: Item): Item[] {
  return itemsOf(exceptionOccurrences);
}

/**
 * Reads a person. Somebody who has no address but Exchange's own (`/o=…/cn=…`) can't be named to anybody. Exchange
 * names people without a name by their address. Returns null for somebody who has no address.
 */
export function personOf(recipient: unknown): Person | null {
  const { name, address } = objectOf(objectOf(recipient).emailAddress);
  const email = guestAddress(textOf(address) ?? "");
  if (!/^[^\s@/]+@[^\s@]+$/.test(email)) return null;
  const shown = textOf(name)?.trim() ?? "";
  return { email, display_name: shown === "" || guestAddress(shown) === email ? null : shown };
}
