import { isDeepStrictEqual } from "node:util";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { withRepliesOf } from "@/server/domain/events/rule-series";
import { guestsOtherwise } from "@/server/domain/merge/read-replies";
import { isSameIcal } from "@/server/domain/merge/same-ical";
import { firstOf } from "@/server/domain/merge/to-ical-recurrence";
import { transitions } from "@/server/domain/time/transitions";
import { zone } from "@/server/domain/time/zone";

const YEAR_MS = 366 * 86_400_000;

/**
 * Returns the application's series with the exceptions that others made of it, and replies to its days. Null when the
 * provider's series differs.
 */
export type KeepsSeries = (own: EventState, read: EventState) => RuleSeries | null;

/**
 * Returns the state of an application's event as its provider reports it: what was read, with the application's rule
 * and time zone where these are equivalent, and with the calendar's owner as organizer where the provider names nobody.
 */
export function keepOwnSpelling(own: EventState, read: EventState, keepsSeries: KeepsSeries): EventState {
  const organizer = organizerAsRead(own.organizer, read.organizer);
  const series = own.ruleSeries && keepsSeries(own, read);
  if (series) return { ...read, organizer, tzid: zoneOf(own, read), ruleSeries: series, icalRecurrence: null };
  if (isSameIcal(own, read)) return { ...read, organizer, tzid: zoneOf(own, read), icalRecurrence: own.icalRecurrence };
  const isSameSingle =
    !own.ruleSeries && !own.icalRecurrence && !read.icalRecurrence && isDeepStrictEqual(own.span, read.span);
  return { ...read, organizer, tzid: isSameSingle ? own.tzid : read.tzid };
}

/** Returns the local name of an equivalent zone: providers have their own names and definitions. */
function zoneOf({ tzid }: EventState, { tzid: read, span: { starts } }: EventState): string | null {
  const [own, other] = [tzid, read].map((name) => (name === null ? null : zone(name)));
  if (!own || !other || own === other) return tzid;
  const [shown, reported] = [own, other].map(({ format }) => transitions(format, starts, starts + YEAR_MS));
  return isDeepStrictEqual(shown, reported) ? tzid : read;
}

/** Returns the organizer that the provider names. A different display name of the owner is no change. */
export function organizerAsRead(own: EventState["organizer"], read: EventState["organizer"]): EventState["organizer"] {
  if (!read || !own || read.email !== own.email) return read ?? own;
  return { ...read, display_name: own.display_name ?? read.display_name };
}

interface WaitingWrite {
  removedGuests: readonly string[];
  keepsSeries: KeepsSeries;
}

/** Returns the state of an event with a pending write: the local one, with the provider's replies and added guests. */
export function withReplies(own: EventState, read: EventState, waiting: WaitingWrite): EventState {
  // Applications cannot write these fields, so the calendar's values count.
  const { private: isPrivate, status, categories, participationStatus } = read;
  const attendees = withRemoteReplies(own.attendees, read.attendees, waiting.removedGuests);
  const ruleSeries = own.ruleSeries && withDayReplies(own.ruleSeries, { ...own, attendees }, { read, ...waiting });
  return { ...own, attendees, ruleSeries, private: isPrivate, status, categories, participationStatus };
}

/** Returns the state of an event with a pending reply of the user: the local one, which has the reply already. */
export function withOwnReply(own: EventState, read: EventState): EventState {
  const { private: isPrivate, status, categories } = read;
  return { ...own, private: isPrivate, status, categories };
}

/**
 * Adds replies to single days. Leaves the series unchanged where the provider's repeats differently, because its
 * replies then concern other days.
 */
function withDayReplies(
  series: RuleSeries,
  own: EventState,
  { read, removedGuests: removed, keepsSeries }: WaitingWrite & { read: EventState },
): RuleSeries {
  const remote = keepsSeries(own, read);
  if (!remote) return series;
  const { replies: _, ...rest } = series;
  // A guest whom the pending write invites may already be invited to such a day.
  const guests = new Map(own.attendees.map((guest) => [guest.email, guest]));
  const replies = remote.replies?.map((one) => ({
    ...one,
    guests: guestsOtherwise({ attendees: one.guests }, guests),
  }));
  return withRepliesOf({ replies }, rest, { first: firstOf(own).firstDay, removed });
}

/**
 * Merges the provider's guests: "Guests added by the calendar itself … stay" ("Rules for attendees"), except those that
 * the application removed.
 */
export function withRemoteReplies(
  local: readonly Guest[],
  remote: readonly Guest[],
  removed: readonly string[],
): Guest[] {
  const replies = new Map(remote.map((guest) => [guest.email, guest.status]));
  const known = new Set([...local.map(({ email }) => email), ...removed]);
  const kept = local.map((guest) => ({ ...guest, status: replies.get(guest.email) ?? guest.status }));
  return [...kept, ...remote.filter(({ email }) => !known.has(email))];
}

/**
 * Restores the guests before a write that the provider rejected, by the addresses that the write invited or removed.
 * The replies of removed guests are lost.
 */
export function beforeRefusal(guests: readonly Guest[], refusedFields: readonly string[]): Guest[] {
  const changed = refusedFields.filter((name) => name.includes("@"));
  const invited = new Set(guests.map(({ email }) => email).filter((email) => changed.includes(email)));
  const removed = changed.filter((email) => !invited.has(email));
  return [
    ...guests.filter(({ email }) => !invited.has(email)),
    ...removed.map((email): Guest => ({ email, display_name: null, status: "unknown" })),
  ];
}
