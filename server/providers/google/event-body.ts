import { isDeepStrictEqual } from "node:util";
import { clippedDescription } from "@/server/domain/events/clipped-description";
import type { EventState, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { guestAddress } from "@/server/domain/events/guests";
import { providerTraits } from "@/server/domain/providers";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Instant } from "@/server/domain/time/instant";
import type { Item } from "@/server/providers/google/item";
import { attendeesOf, URL_PROPERTIES } from "@/server/providers/google/read-content";
import { clockOf } from "@/server/providers/google/read-series";
import { writtenTime } from "@/server/providers/google/read-times";

/** A property's value has at most 1,024 characters (guide "Extended properties", Limits). */
const A_PIECE = /.{1,1024}/gsu;

/** Gives a description as Google can have it. */
export function clipped(description: string): string {
  return clippedDescription(description, providerTraits.google.descriptionLimit);
}

/** Writes what an event says, without its people, its meeting and its recurrence, as the API accepts it. */
export function bodyOf(state: EventState): Record<string, unknown> {
  const { summary, description, location, url, transparency } = state;
  const isWeb = url !== null && /^https?:\/\//i.test(url);
  return {
    ...{ summary, description: clipped(description), location: location ?? "", transparency },
    ...timesOf(state),
    // "source: can be accessed only by the creator": the title has to be there.
    source: isWeb ? { title: summary || url, url } : null,
    extendedProperties: { private: urlProperties(url) },
  };
}

/** Writes the URL to private properties. A property that is null is removed. */
function urlProperties(url: string | null): Record<string, string | null> {
  const pieces = url?.match(A_PIECE) ?? [];
  return Object.fromEntries(URL_PROPERTIES.map((name, i) => [name, pieces[i] ?? null]));
}

/**
 * Writes the times of an event. A series starts where its rule does, which is not always where its first occurrence
 * takes place.
 */
function timesOf(state: EventState) {
  const { span, tzid, icalRecurrence } = state;
  const { starts, ends } = icalRecurrence ? fromStart(span, icalRecurrence, tzid) : span;
  const form = { allDay: span.allDay, tzid };
  return { start: writtenTime(starts, form), end: writtenTime(ends, form) };
}

function fromStart(span: EventState["span"], { start }: StoredIcalRecurrence, tzid: string | null) {
  const starts = instantOn(clockOf({ span, tzid }), start);
  return { starts, ends: (starts + span.ends - span.starts) as Instant };
}

/** Gives the rules of a series, and the days that it leaves out by itself. Other exceptions are items of their own. */
export function recurrenceLines(series: StoredIcalRecurrence, exdates: readonly { text: string }[]): string[] {
  const dated = (name: string, { text }: { text: string }) => {
    if (series.allDay) return `${name};VALUE=DATE:${text}`;
    return /Z$/.test(text) || series.tzid === null ? `${name}:${text}` : `${name};TZID=${series.tzid}:${text}`;
  };
  return [
    ...series.rrules.map((rule) => `RRULE:${rule}`),
    ...series.exrules.map((rule) => `EXRULE:${rule}`),
    ...series.rdates.map((date) => dated("RDATE", date)),
    ...exdates.map((date) => dated("EXDATE", date)),
  ];
}

/** Gives the fields of `after` that are not as in `before`: what a PATCH has to say. */
export function differing(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(before[name], value)));
}

export interface GuestsToWrite {
  guests: readonly Guest[];
  removed: readonly string[];
}

/**
 * Gives an item's list of attendees after a write, which replaces the old one whole: who is on it stays with everything that Google keeps of
 * them, such as their reply. Null: it stays as it is, also where Google has given only a part of it ("attendeesOmitted").
 */
export function attendeesAfter(item: Item | null, { guests, removed }: GuestsToWrite): object[] | null {
  if (item?.attendeesOmitted === true) return null;
  const before = item ? attendeesOf(item) : [];
  const organizer = before.find(({ attendee }) => attendee.organizer === true)?.email;
  const wanted = new Map(guests.filter(({ email }) => email !== organizer).map((guest) => [guest.email, guest]));
  const gone = new Set(removed.map(guestAddress).filter((email) => !wanted.has(email)));
  const stayed = before.filter(({ email }) => !gone.has(email));
  const known = new Set(stayed.map(({ email }) => email));
  const after = [
    ...stayed.map(({ email, attendee }) => withName(attendee, wanted.get(email)?.display_name ?? null)),
    ...[...wanted.values()].flatMap(({ email, display_name: displayName }) =>
      known.has(email) ? [] : [{ email, ...(displayName !== null && { displayName }) }],
    ),
  ];
  return isDeepStrictEqual(
    after,
    before.map(({ attendee }) => attendee),
  )
    ? null
    : after;
}

/** Gives the guests of an event whose item does not have them yet. */
export function newGuests(item: Item, guests: readonly Guest[]): Guest[] {
  const known = new Set(attendeesOf(item).map(({ email }) => email));
  return guests.filter(({ email }) => !known.has(email));
}

/** Resets the replies of guests to another time: an old reply would be taken for one to the new time. */
export function askedAgain(attendees: readonly object[]): object[] {
  return attendees.map((one: { organizer?: unknown; self?: unknown; resource?: unknown }) =>
    one.organizer || one.self || one.resource ? one : { ...one, responseStatus: "needsAction" },
  );
}

function withName(attendee: Record<string, unknown>, displayName: string | null): Record<string, unknown> {
  return displayName === null ? attendee : { ...attendee, displayName };
}
