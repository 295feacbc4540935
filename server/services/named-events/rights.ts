import type { EventState } from "@/server/domain/events/event-state";
import { guestAddress } from "@/server/domain/events/guests";
import { isOrganizedBy, participationIn } from "@/server/domain/events/participation";
import { providerTraits } from "@/server/domain/providers";
import type { NamedRecord } from "@/server/store/events/named-event.sql";
import type { Bearer } from "@/server/store/grants/bearer.sql";

/** What the application may do with an event. */
export interface EventRights {
  update: boolean;
  delete: boolean;
  reply: boolean;
}

/**
 * Returns the rights of an application to an event. Events that others created are theirs: it may change them where an
 * administrator allowed it and the connect page said so, the user organizes them, and nobody is notified of the change.
 */
export function rightsOf(record: NamedRecord, state: EventState, bearer: Pick<Bearer, "email">): EventRights {
  if (record.isReadonly) return { update: false, delete: false, reply: false };
  const { provider, eventId } = record;
  const own = ownAddresses(record, bearer);
  const isHosted = provider === "hosted";
  const reply = mayTouchOthers(record) && participationIn(state, { provider, own }) === "guest";
  const isQuiet = state.attendees.length === 0 || !notifiesInvited(record);
  const edits = mayTouchOthers(record) && (isHosted || (isOrganizedBy(state, own) && isQuiet));
  return { update: eventId !== null || edits, delete: eventId !== null || edits, reply };
}

/** Reports whether the application may change anything that others created. In hosted calendars the switch alone counts. */
function mayTouchOthers({ mayEditForeign, isDisclosed, provider }: NamedRecord): boolean {
  return mayEditForeign && (isDisclosed || provider === "hosted");
}

/** Reports whether the application may reply for the user in a calendar. */
export function mayReplyIn(record: NamedRecord): boolean {
  return !record.isReadonly && mayTouchOthers(record);
}

/** Lists the addresses by which the user is known in a calendar. */
export function ownAddresses({ profileName, calendarName }: NamedRecord, { email }: Pick<Bearer, "email">) {
  return new Set([email, profileName, calendarName].map(guestAddress));
}

function notifiesInvited({ provider, invites }: NamedRecord): boolean {
  const traits = providerTraits[provider];
  return !traits.silencesInvited && (invites ?? traits.invites);
}
