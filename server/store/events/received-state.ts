import { isDeepStrictEqual } from "node:util";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { transitions } from "@/server/domain/time/transitions";
import { zone } from "@/server/domain/time/zone";

const YEAR_MS = 366 * 86_400_000;

/** The application's own series with the exceptions that others made of it; null where a provider tells another one. */
export type KeepsSeries = (own: EventState, read: EventState) => RuleSeries | null;

/**
 * What an event of the application says when its provider tells it: what was read, in the application's own words where these say
 * the same (its rule, its time zone), and with the calendar's owner as organizer where the provider names nobody.
 */
export function inOwnWords(own: EventState, read: EventState, keepsSeries: KeepsSeries): EventState {
  const organizer = ownName(own.organizer, read.organizer);
  const series = own.ruleSeries && keepsSeries(own, read);
  if (series) return { ...read, organizer, tzid: zoneOf(own, read), ruleSeries: series, icalRecurrence: null };
  const isSameSingle =
    !own.ruleSeries && !own.icalRecurrence && !read.icalRecurrence && isDeepStrictEqual(own.span, read.span);
  return { ...read, organizer, tzid: isSameSingle ? own.tzid : read.tzid };
}

/** Our own name for a zone that shows the same: providers have names of their own, and descriptions. */
function zoneOf({ tzid }: EventState, { tzid: read, span: { starts } }: EventState): string | null {
  const [own, other] = [tzid, read].map((name) => (name === null ? null : zone(name)));
  if (!own || !other || own === other) return tzid;
  const [shown, told] = [own, other].map(({ format }) => transitions(format, starts, starts + YEAR_MS));
  return isDeepStrictEqual(shown, told) ? tzid : read;
}

/** The owner by another display name (what the account is called there) says nothing new. */
function ownName(own: EventState["organizer"], read: EventState["organizer"]): EventState["organizer"] {
  if (!read || !own || read.email !== own.email) return read ?? own;
  return { ...read, display_name: own.display_name ?? read.display_name };
}

/** What an event says while its provider has not heard it: its own words, with the replies and the guests that the provider has. */
export function withReplies(own: EventState, read: EventState, removedGuests: readonly string[]): EventState {
  // What no application can say is the calendar's own.
  const { private: isPrivate, status, categories, participationStatus } = read;
  const attendees = repliesTaken(own.attendees, read.attendees, removedGuests);
  return { ...own, attendees, private: isPrivate, status, categories, participationStatus };
}

/** "Guests added by the calendar itself … stay" ("Rules for attendees"), but not whom the application took off. */
function repliesTaken(ours: readonly Guest[], theirs: readonly Guest[], removed: readonly string[]): Guest[] {
  const replies = new Map(theirs.map((guest) => [guest.email, guest.status]));
  const known = new Set([...ours.map(({ email }) => email), ...removed]);
  const kept = ours.map((guest) => ({ ...guest, status: replies.get(guest.email) ?? guest.status }));
  return [...kept, ...theirs.filter(({ email }) => !known.has(email))];
}
