import { isDeepStrictEqual } from "node:util";
import { clippedDescription } from "@/server/domain/events/clipped-description";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { type Guest, guestAddress } from "@/server/domain/events/guests";
import { providerTraits } from "@/server/domain/providers";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import { textOf } from "@/server/providers/json-values";
import { type Item, personOf } from "@/server/providers/microsoft/item";
import { EVENT_ID_PROPERTY, URL_PROPERTY } from "@/server/providers/microsoft/properties";
import { attendeesOf } from "@/server/providers/microsoft/read-content";
import { writtenTimes } from "@/server/providers/microsoft/write-times";

/** Gives a subject as Exchange can have it. */
export function clippedSubject(summary: string): string {
  return clippedDescription(summary, providerTraits.microsoft.summaryLimit);
}

/** Writes what an event says, without its body, its people, its meeting and its recurrence, as the API accepts it. */
export function contentBodyOf(state: EventState): Record<string, unknown> {
  const { summary, location, transparency } = state;
  return {
    subject: clippedSubject(summary),
    // "If you update the location property, any prior locations in the locations collection are removed".
    location: { displayName: location ?? "" },
    showAs: transparency === "transparent" ? "free" : "busy",
    ...timesOf(state),
  };
}

/**
 * Writes the times of an event. A series starts where its rule does, which is not always where its first occurrence
 * takes place.
 */
function timesOf(state: EventState) {
  const { span, tzid, icalRecurrence } = state;
  if (!icalRecurrence) return writtenTimes({ span, tzid }, state.ruleSeries !== null);
  return writtenTimes({ span: fromStart(span, icalRecurrence, tzid), tzid }, true);
}

function fromStart(span: EventState["span"], { start }: StoredIcalRecurrence, tzid: string | null): EventState["span"] {
  const clock = { allDay: span.allDay, zone: tzid === null ? null : zone(tzid) };
  const starts = instantOn(clock, start);
  return { starts, ends: (starts + span.ends - span.starts) as Instant, allDay: span.allDay };
}

/** Gives the fields of `after` that are not as in `before`: what a PATCH has to say. Times are said together. */
export function differing(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const isMoved = names.some((name) => times.includes(name));
  const said = isMoved ? [...new Set([...names, ...times])] : names;
  return Object.fromEntries(said.map((name) => [name, after[name]]));
}

const times = ["start", "end", "isAllDay"];

export interface GuestsToWrite {
  guests: readonly Guest[];
  removed: readonly string[];
}

/**
 * Gives an item's list of attendees after a write, which replaces the old one whole: who is on it stays as Graph has them, and Graph keeps their
 * replies. Null: it stays as it is.
 */
export function attendeesAfter(item: Item | null, { guests, removed }: GuestsToWrite): object[] | null {
  const before = item ? attendeesOf(item) : [];
  const organizer = item && personOf(item.organizer)?.email;
  const wanted = new Map(guests.filter(({ email }) => email !== organizer).map((guest) => [guest.email, guest]));
  const gone = new Set(removed.map(guestAddress).filter((email) => !wanted.has(email)));
  const stayed = before.filter(({ email }) => !gone.has(email));
  const known = new Set(stayed.map(({ email }) => email));
  const after = [
    ...stayed.map(({ email, attendee }) => withName(attendee, wanted.get(email)?.display_name ?? null)),
    ...[...wanted.values()].flatMap((guest) => (known.has(guest.email) ? [] : [newAttendee(guest)])),
  ];
  const asBefore = before.map(({ attendee }) => attendee);
  return isDeepStrictEqual(after, asBefore) ? null : after;
}

/** Gives the guests of an event whose item does not have them yet. */
export function newGuests(item: Item, guests: readonly Guest[]): Guest[] {
  const known = new Set(attendeesOf(item).map(({ email }) => email));
  return guests.filter(({ email }) => !known.has(email));
}

function newAttendee({ email, display_name: name }: Guest): object {
  return { type: "required", emailAddress: { address: email, ...(name !== null && { name }) } };
}

function withName(attendee: Record<string, unknown>, name: string | null): Record<string, unknown> {
  const { emailAddress } = attendee;
  return name === null ? attendee : { ...attendee, emailAddress: { ...(emailAddress as object), name } };
}

export interface Property {
  id: string;
  value: string;
}

/** Lists our properties of a new event. */
export function newProperties({ url }: EventState, name: string): Property[] {
  return [{ id: EVENT_ID_PROPERTY, value: name }, ...(url === null ? [] : [{ id: URL_PROPERTY, value: url }])];
}

/** Lists our properties that a write changes. */
export function changedUrl(before: EventState, after: EventState): Property[] {
  return (before.url ?? "") === (after.url ?? "") ? [] : [{ id: URL_PROPERTY, value: after.url ?? "" }];
}

/** Gives an item of a response to a write, which leaves out our properties: those that there were, and those that were written. */
export function withProperties(item: Item, before: Item | null, written: readonly Property[]): Item {
  const own = new Map<string, unknown>();
  const known = before?.singleValueExtendedProperties;
  for (const one of [...(Array.isArray(known) ? known : []), ...written])
    own.set(textOf(one?.id)?.toLowerCase() ?? "", one);
  return { ...item, singleValueExtendedProperties: [...own.values()] };
}
