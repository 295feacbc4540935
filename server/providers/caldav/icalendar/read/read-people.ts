import type { Person } from "@/server/domain/events/event-state";
import { type Guest, type GuestStatus, guestAddress } from "@/server/domain/events/guests";
import { cleaned, percentDecoded } from "@/server/domain/text";
import { personName, readAddress } from "@/server/providers/caldav/icalendar/lenient/addresses";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { type ContentLine, propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";

/** The limit for an untrusted resource. The largest calendar services stop at some hundreds. */
const MOST_GUESTS = 2_000;

export interface People {
  organizer: Person | null;
  attendees: Guest[];
  participationStatus: GuestStatus;
}

const statuses: Readonly<Record<string, GuestStatus>> = {
  "NEEDS-ACTION": "needs_action",
  ACCEPTED: "accepted",
  DECLINED: "declined",
  TENTATIVE: "tentative",
};

/**
 * Gives the organizer, the guests and the calendar owner's own reply. The organizer's ATTENDEE line is not a guest. An event without people
 * is the owner's, and therefore accepted.
 * @param ownAddresses the owner's, in lower case
 */
export function readPeople(component: Component, ownAddresses: readonly string[]): People {
  const organizer = readOrganizer(component);
  const everyone = new Map<string, Guest>();
  const add = (line: ContentLine) => {
    const email = addressOf(line);
    if (email !== null && !everyone.has(email))
      everyone.set(email, { email, display_name: nameOf(line), status: statusOf(line) });
  };
  for (const line of propertiesOf(component, "ATTENDEE", MOST_GUESTS)) {
    if (hasSeveral(line)) peopleIn(line).forEach(add);
    else add(line);
  }
  const own = [...everyone.values()].find(({ email }) => ownAddresses.includes(email));
  const isOwn = organizer === null ? everyone.size === 0 : ownAddresses.includes(organizer.email);
  const reply = own?.status ?? (isOwn ? "accepted" : "unknown");
  return {
    organizer,
    attendees: [...everyone.values()].filter(({ email }) => email !== organizer?.email),
    // An organizer has accepted, even if the event does not say so.
    participationStatus: isOwn && reply === "needs_action" ? "accepted" : reply,
  };
}

/**
 * Gives the address of an ATTENDEE or ORGANIZER, trimmed and in lower case: its EMAIL parameter (RFC 7986 §6.2), if the value is not a
 * mailto but the server's own name.
 */
export function addressOf({ value, params }: ContentLine): string | null {
  const mailed = /^["'<\s]*mailto:(.*)$/is.exec(value)?.[1];
  const text = mailed === undefined ? (params.email ?? params["x-calendarserver-email"] ?? value) : decoded(mailed);
  const email = readAddress(cleaned(text));
  return email === null ? null : guestAddress(email);
}

function hasSeveral({ value }: ContentLine): boolean {
  return (value.includes(",") || value.includes(";")) && /[,;]\s*mailto:/i.test(value);
}

/** Splits a line with several addresses into one line for each address. */
function peopleIn(line: ContentLine): ContentLine[] {
  return line.value.split(/[,;]\s*(?=mailto:)/i, MOST_GUESTS).map((value) => ({ ...line, value }));
}

function readOrganizer(component: Component): Person | null {
  const line = propertyOf(component, "ORGANIZER");
  const email = line && addressOf(line);
  return line && email !== null ? { email, display_name: nameOf(line) } : null;
}

function decoded(text: string): string {
  const [address = ""] = text.split("?", 1); // a lone percent sign can't be decoded
  return percentDecoded(address) ?? address;
}

function nameOf({ params }: ContentLine): string | null {
  return personName(cleaned(params.cn ?? "")) || null;
}

function statusOf({ params }: ContentLine): GuestStatus {
  const partstat = params.partstat?.trim().toUpperCase();
  return partstat === undefined ? "needs_action" : (statuses[partstat] ?? "unknown");
}
