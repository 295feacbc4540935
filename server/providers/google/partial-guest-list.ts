import { newGuests } from "@/server/providers/google/event-body";
import type { Item } from "@/server/providers/google/item";
import type { WriteInput } from "@/server/providers/writing";

/** Why a write is rejected, as staff read it (`errorSentence`). */
export const PARTIAL_GUEST_LIST = "partial_guest_list";

/**
 * Tells whether the application invites or removes guests of an event of which Google lists only some ("attendeesOmitted"). A list replaces
 * the old one whole, so none can be written: it would take off those who are not listed.
 */
export function needsWholeGuestList(
  item: Item,
  { state, changedFields, removedGuests }: Pick<WriteInput, "state" | "changedFields" | "removedGuests">,
): boolean {
  if (!isPartial(item)) return false;
  const isChanged = (email: string) => !changedFields || changedFields.includes(email);
  return removedGuests.length > 0 || newGuests(item, state?.attendees ?? []).some(({ email }) => isChanged(email));
}

export function isPartial({ attendeesOmitted }: Item): boolean {
  return attendeesOmitted === true;
}
