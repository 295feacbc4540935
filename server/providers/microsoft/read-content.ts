import type { Conferencing, MeetingService } from "@/server/domain/events/conferencing";
import type { EventContent } from "@/server/domain/events/event-content";
import { type Guest, type GuestStatus, guestAddress } from "@/server/domain/events/guests";
import { linkOf } from "@/server/domain/events/link";
import { listOf, objectOf, textOf } from "@/server/providers/json-values";
import { meetingLinkIn, meetingServiceOf } from "@/server/providers/meeting-link";
import { type Item, personOf } from "@/server/providers/microsoft/item";
import {
  EVENT_ID_PROPERTY,
  MEETING_PROPERTY,
  NO_MEETING,
  propertyOf,
  URL_PROPERTY,
} from "@/server/providers/microsoft/properties";
import { bodyOf, descriptionOf } from "@/server/providers/microsoft/read-body";

/** responseStatus, "response". */
const replies: Readonly<Record<string, GuestStatus>> = {
  none: "needs_action",
  notResponded: "needs_action",
  organizer: "accepted",
  accepted: "accepted",
  tentativelyAccepted: "tentative",
  declined: "declined",
};
/** onlineMeetingProviderType. */
const services: Readonly<Record<string, MeetingService>> = {
  teamsForBusiness: "microsoft_teams",
  skypeForBusiness: "skype_for_business",
  skypeForConsumer: "skype",
};
const MOST_CATEGORIES = 100;
/** Characters of a text that are searched for a link. */
const LOOKED_THROUGH = 100_000;

/** Reads what an item says apart from its times. */
export function contentOf(item: Item): EventContent {
  return {
    summary: textOf(item.subject) ?? "",
    description: descriptionOf(item),
    location: locationOf(item),
    url: linkOf(propertyOf(item, URL_PROPERTY)),
    transparency: item.showAs === "free" ? "transparent" : "opaque",
    private: ["private", "confidential", "personal"].includes(String(item.sensitivity)),
    status: statusOf(item),
    participationStatus: ownReply(item),
    organizer: personOf(item.organizer),
    attendees: guestsOf(item),
    categories: categoriesOf(item),
    conferencing: conferencingOf(item),
  };
}

function statusOf({ isCancelled, showAs }: Item): string {
  if (isCancelled === true) return "cancelled";
  return showAs === "tentative" ? "tentative" : "confirmed";
}

/** Reads the location of an item. "The location and locations properties always correspond with each other." */
function locationOf({ location, locations }: Item): string | null {
  const nameOf = (value: unknown) => textOf(objectOf(value).displayName)?.trim() ?? "";
  const names = listOf(locations).map(nameOf);
  return nameOf(location) || names.filter((name) => name !== "").join("; ") || null;
}

/** Reads the account's own reply. Somebody who organizes an event, or has it without being invited, has accepted it. */
function ownReply({ responseStatus, isOrganizer, attendees }: Item): GuestStatus {
  const reply = textOf(objectOf(responseStatus).response) ?? "none";
  const isOpen = reply === "none" || reply === "notResponded";
  if (isOpen && (isOrganizer === true || listOf(attendees).length === 0)) return "accepted";
  return replies[reply] ?? "unknown";
}

/** Lists everybody who takes part but the organizer. */
function guestsOf({ attendees, organizer }: Item): Guest[] {
  const host = personOf(organizer)?.email;
  const guests = listOf(attendees).flatMap((attendee): Guest[] => {
    const person = personOf(attendee);
    const response = textOf(objectOf(attendee.status).response) ?? "none";
    return person && person.email !== host ? [{ status: replies[response] ?? "unknown", ...person }] : [];
  });
  return [...new Map(guests.map((guest) => [guest.email, guest])).values()];
}

function categoriesOf({ categories }: Item): string[] {
  const given = Array.isArray(categories) ? categories.slice(0, MOST_CATEGORIES) : [];
  return [...new Set(given.flatMap((name) => textOf(name) || []))];
}

/**
 * Gives the meeting's link, one that is still being created, or in events of others the first link of a known meeting service in the texts. What
 * the application has put into its texts would become a link whenever Exchange rewrites a change key. None where the application took
 * the link off, which Graph keeps ("the meeting remains available online").
 */
export function conferencingOf(item: Item): Conferencing {
  if (propertyOf(item, MEETING_PROPERTY) === NO_MEETING) return null;
  const url = linkOf(textOf(objectOf(item.onlineMeeting).joinUrl) || textOf(item.onlineMeetingUrl));
  const service = services[String(item.onlineMeetingProvider)];
  if (url) return { provider: service ?? meetingServiceOf(url) ?? "other", join_url: url };
  if (item.isOnlineMeeting === true && item.isOrganizer === true && service) return { pending: true };
  if (propertyOf(item, EVENT_ID_PROPERTY) !== null) return null;
  for (const text of [locationOf(item) ?? "", bodyOf(item).text]) {
    const link = meetingLinkIn(text.slice(0, LOOKED_THROUGH));
    if (link) return link;
  }
  return null;
}

/** Gives the addresses on an item's list of attendees, each with all that Graph keeps of them. */
export function attendeesOf(item: Item): { email: string; attendee: Record<string, unknown> }[] {
  return listOf(item.attendees).map((attendee) => {
    const { address } = objectOf(attendee.emailAddress);
    return { email: guestAddress(textOf(address) ?? ""), attendee };
  });
}
