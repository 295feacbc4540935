import type { Person } from "@/server/domain/events/event-state";
import type { Guest, GuestStatus } from "@/server/domain/events/guests";
import { guestAddress } from "@/server/domain/events/guests";
import { mapped, type Pieces } from "@/server/domain/pieces";
import { addressOf } from "@/server/providers/caldav/icalendar/read/read-people";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import {
  isOf,
  line,
  propertyOf,
  readLine,
  replaceLines,
  withParam,
} from "@/server/providers/caldav/icalendar/text/content-line";
import { writeRaw } from "@/server/providers/caldav/icalendar/text/text-value";

export interface GuestsToWrite {
  guests: readonly Guest[];
  /** Addresses that the application removed. */
  removed: readonly string[];
  owner: Person | null;
  /** Whether the calendar's server notifies them (RFC 6638 §7.1). */
  notify: boolean;
  /** Others created the event: its people stay as they are. */
  isForeign?: boolean;
}

interface Written {
  text: string;
  email: string | null;
}

/** The limit for an untrusted list. Further entries stay as they are. */
const MOST_READ = 5_000;

const answers: Readonly<Record<GuestStatus, string>> = {
  needs_action: "NEEDS-ACTION",
  accepted: "ACCEPTED",
  declined: "DECLINED",
  tentative: "TENTATIVE",
  unknown: "NEEDS-ACTION",
};

/**
 * Writes the guest list ("Rules for attendees"): existing guests keep the reply that the calendar holds, even if others added them.
 * Removed guests are deleted and new ones added. While there are guests, the owner is the organizer and has accepted. A silent write
 * marks new guests only: marking one whom the server has notified would cancel the event for them (RFC 6638 §3.2.1.2).
 */
export function* writeGuests(
  component: Component,
  { guests, removed, owner, notify, isForeign }: GuestsToWrite,
): Pieces<void> {
  if (isForeign) return;
  const organizer = organizerIn(component) ?? owner?.email ?? null;
  const wanted = new Map(guests.filter(({ email }) => email !== organizer).map((guest) => [guest.email, guest]));
  const gone = new Set(removed.map(guestAddress).filter((email) => !wanted.has(email)));
  const before = yield* attendeesIn(component);
  const kept = before.filter(({ email }) => email === null || !gone.has(email));
  const known = new Set(kept.map(({ email }) => email));
  const isOwn = ({ email }: Written) => organizer !== null && email === organizer;
  const withAgent = (one: Written, agent: string | null): Written =>
    isOwn(one) ? one : { ...one, text: withParam(one.text, "SCHEDULE-AGENT", agent) };
  const stayed = yield* mapped(kept, ({ text, email }) => {
    const one = { text: named(text, wanted.get(email ?? "")), email };
    return notify ? withAgent(one, null) : one;
  });
  const came = [...wanted.values()].filter(({ email }) => !known.has(email)).map(invited);
  const written = [...stayed, ...came.map((one) => withAgent(one, notify ? null : "CLIENT"))];
  // The server cancels the event for the last guests too, but only if it still has an organizer.
  const isLeft = notify && organizer === owner?.email && before.some((one) => !isOwn(one));
  const isAlone = !isLeft && written.every(isOwn);
  if (isAlone) replaceLines(component, ["ORGANIZER"], []);
  else if (owner && !propertyOf(component, "ORGANIZER")) component.lines.push(organizerLine(owner));
  const needsOwn = owner && organizer === owner.email && !written.some(isOwn);
  const lines = written.map(({ text }) => text);
  replaceLines(component, ["ATTENDEE"], isAlone ? [] : needsOwn ? [ownLine(owner), ...lines] : lines);
}

function organizerIn(component: Component): string | null {
  const found = propertyOf(component, "ORGANIZER");
  return found && addressOf(found);
}

function* attendeesIn({ lines }: Component): Pieces<Written[]> {
  const all = lines.filter((text) => isOf(text, "ATTENDEE"));
  return yield* mapped(all, (text, i) => ({ text, email: i < MOST_READ ? emailIn(text) : null }));
}

function emailIn(text: string): string | null {
  const read = readLine(text);
  return read && addressOf(read);
}

/** Writes the name that was sent, if any, to the line of an existing guest. */
function named(text: string, guest: Guest | undefined): string {
  const name = writeRaw(guest?.display_name ?? "");
  return name === "" || readLine(text)?.params.cn === name ? text : withParam(text, "CN", name);
}

function invited({ email, display_name, status }: Guest): Written {
  const params = { cn: nameParam(display_name), role: "REQ-PARTICIPANT", partstat: answers[status], rsvp: "TRUE" };
  return { text: line("ATTENDEE", mailto(email), params), email };
}

function ownLine({ email, display_name }: Person): string {
  return line("ATTENDEE", mailto(email), { cn: nameParam(display_name), role: "CHAIR", partstat: "ACCEPTED" });
}

function organizerLine({ email, display_name }: Person): string {
  return line("ORGANIZER", mailto(email), { cn: nameParam(display_name) });
}

function nameParam(name: string | null): string | null {
  return writeRaw(name ?? "") || null;
}

function mailto(email: string): string {
  return `mailto:${writeRaw(email).replaceAll("%", "%25").replaceAll("?", "%3F")}`;
}
