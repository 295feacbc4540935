import { listOf, textOf } from "@/server/providers/json-values";
import type { Item } from "@/server/providers/microsoft/item";

/** Our own set of named properties ("Outlook extended properties overview"). */
const OWN = "{de9273ae-d64b-41e9-b2a1-c3f0eb700ed7}";

/** Under which name an event was created. Every event that applications have written has it. */
export const EVENT_ID_PROPERTY = `String ${OWN} Name almanac_event_id`;
/** The application's url, for which Graph has no field. */
export const URL_PROPERTY = `String ${OWN} Name almanac_url`;
/** `none`: the application has taken the meeting link off, which Graph keeps. */
export const MEETING_PROPERTY = `String ${OWN} Name almanac_meeting`;
export const NO_MEETING = "none";
/** `begun`: the series was rewritten to bring back a deleted occurrence, and its exceptions are not all there again. */
export const RESTORING_PROPERTY = `String ${OWN} Name almanac_restoring`;
export const RESTORING = "begun";

const all = [EVENT_ID_PROPERTY, URL_PROPERTY, MEETING_PROPERTY, RESTORING_PROPERTY];

/** What `$expand` has to say for our properties to be in a response. */
export const EXPAND_OWN = `singleValueExtendedProperties($filter=${all.map((id) => `id eq '${id}'`).join(" or ")})`;

/** Reads a property of an item. Returns null if the item does not have it, or was read without it. */
export function propertyOf({ singleValueExtendedProperties }: Item, id: string): string | null {
  const found = listOf(singleValueExtendedProperties).find((one) => isSameId(textOf(one.id) ?? "", id));
  return textOf(found?.value);
}

/**
 * Reports whether two ids are the same without regard to case. The names are ours and differ by more than case, and a
 * GUID has none.
 */
function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
