import type { Conferencing, MeetingService } from "@/server/domain/events/conferencing";
import type { EventContent } from "@/server/domain/events/event-content";
import { type Guest, type GuestStatus, guestAddress } from "@/server/domain/events/guests";
import { linkOf } from "@/server/domain/events/link";
import { type Item, personOf } from "@/server/providers/google/item";
import { listOf, objectOf, textOf } from "@/server/providers/json-values";
import { meetingLinkIn, meetingServiceOf } from "@/server/providers/meeting-link";

/** Where the application's url is kept, in pieces: Google's own field for it accepts web addresses alone. */
export const URL_PROPERTIES = ["almanac_url", "almanac_url_2"] as const;

/** Attendees, "responseStatus". */
const statuses: Readonly<Record<string, GuestStatus>> = {
  needsAction: "needs_action",
  declined: "declined",
  tentative: "tentative",
  accepted: "accepted",
};
/** conferenceSolution, "key.type". */
const solutions: Readonly<Record<string, MeetingService>> = {
  hangoutsMeet: "google_meet",
  eventHangout: "google_hangouts",
  eventNamedHangout: "google_hangouts",
};
/** Of the calendar's owner, and no time that they are busy ("eventType"). */
const neverBusy: readonly unknown[] = ["birthday", "workingLocation"];

/** Reads what an item says apart from its times. */
export function contentOf(item: Item): EventContent {
  const organizer = objectOf(item.organizer);
  const attendees = listOf(item.attendees);
  const isTransparent = item.transparency === "transparent" || neverBusy.includes(item.eventType);
  return {
    summary: textOf(item.summary) ?? "",
    description: textOf(item.description) ?? "",
    location: textOf(item.location) || null,
    url: urlOf(item),
    transparency: isTransparent ? "transparent" : "opaque",
    private: item.visibility === "private" || item.visibility === "confidential",
    status: item.status === "cancelled" || item.status === "tentative" ? item.status : "confirmed",
    participationStatus: ownReply(attendees, organizer.self === true),
    organizer: personOf(organizer),
    attendees: attendees.flatMap((one) => (one.organizer === true ? [] : (guestOf(one) ?? []))),
    categories: [],
    conferencing: conferencingOf(item),
  };
}

/** Reads a guest. Everybody who takes part but the organizer is one. */
function guestOf(attendee: Record<string, unknown>): Guest | null {
  const person = personOf(attendee);
  return person && { status: statuses[String(attendee.responseStatus)] ?? "unknown", ...person };
}

/** Reads the account's own reply. Somebody who organizes an event, or has it without being invited, has accepted it. */
function ownReply(attendees: readonly Record<string, unknown>[], isOrganizer: boolean): GuestStatus {
  const own = attendees.find(({ self }) => self === true);
  if (!own) return "accepted";
  const reply = statuses[String(own.responseStatus)] ?? "unknown";
  return isOrganizer && reply === "needs_action" ? "accepted" : reply;
}

function urlOf({ extendedProperties, source }: Item): string | null {
  const kept = objectOf(objectOf(extendedProperties).private);
  const own = URL_PROPERTIES.map((name) => textOf(kept[name]) ?? "").join("");
  return linkOf(own || textOf(objectOf(source).url));
}

/** Gives the meeting's video link, one that is still being created, or the first link of a known meeting service in its texts. */
export function conferencingOf(item: Item): Conferencing {
  const data = objectOf(item.conferenceData);
  const video = listOf(data.entryPoints).find(({ entryPointType }) => entryPointType === "video");
  const uri = linkOf(textOf(video?.uri) ?? textOf(item.hangoutLink));
  if (uri) return { provider: serviceOf(data, uri), join_url: uri };
  if (requestStatus(item) === "pending") return { pending: true };
  for (const value of [item.location, item.description]) {
    const link = meetingLinkIn((textOf(value) ?? "").slice(0, LOOKED_THROUGH));
    if (link) return link;
  }
  return null;
}

/** Characters of a text that are searched for a link. */
const LOOKED_THROUGH = 100_000;

/**
 * Reads what has become of the request for a meeting ("createRequest.status.statusCode"): pending, success or failure.
 */
export function requestStatus({ conferenceData }: Item): string | null {
  return textOf(objectOf(objectOf(objectOf(conferenceData).createRequest).status).statusCode);
}

function serviceOf(data: Record<string, unknown>, uri: string): MeetingService {
  const { type } = objectOf(objectOf(data.conferenceSolution).key);
  return solutions[String(type)] ?? meetingServiceOf(uri) ?? "other";
}

/** Gives the addresses on an item's list of attendees, each with all that Google keeps of them. */
export function attendeesOf(item: Item): { email: string; attendee: Record<string, unknown> }[] {
  return listOf(item.attendees).map((attendee) => ({ email: guestAddress(textOf(attendee.email) ?? ""), attendee }));
}
