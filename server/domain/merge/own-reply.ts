import { listedReplies } from "@/server/domain/events/day-replies";
import type { EventState, OccurrenceChanges, RuleSeries } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { replyToIcalDay } from "@/server/domain/merge/reply-ical-day";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";

export interface OwnReply {
  status: "accepted" | "declined" | "tentative";
  /** The addresses by which the user is known. */
  own: ReadonlySet<string>;
  /** The entry to add where the guest list does not name the user. Null: none is added. */
  entry: Guest | null;
  /** The occurrence that the reply is to, with its guests. Null: the whole event. */
  occurrence: { day: Day; starts: Instant; attendees: Guest[] } | null;
}

export interface RepliedEvent {
  state: EventState;
  /** The original start of the occurrence on its series' clock. Null: the reply is to the whole event. */
  recurrenceId: LocalTime | null;
}

/** Returns an event after a reply of the calendar's owner. Null: the series has no such occurrence. */
export function withOwnReply(state: EventState, reply: OwnReply): RepliedEvent | null {
  const { status, occurrence } = reply;
  if (!occurrence) {
    const attendees = repliedGuests(state.attendees, reply);
    return { state: { ...state, participationStatus: status, attendees }, recurrenceId: null };
  }
  const { day, starts } = occurrence;
  const { ruleSeries, icalRecurrence } = state;
  if (ruleSeries) {
    const replied = replyToRuleDay(ruleSeries, reply, formatDay(day));
    return { state: { ...state, ruleSeries: replied }, recurrenceId: starts as number as LocalTime };
  }
  const attendees = repliedGuests(occurrence.attendees, reply);
  const fields: Pick<OccurrenceChanges, "participation_status" | "attendees"> = {
    participation_status: status,
    ...(attendees.length > 0 && { attendees }),
  };
  const replied = icalRecurrence && replyToIcalDay({ series: icalRecurrence, day, starts, fields });
  return replied && { state: { ...state, icalRecurrence: replied.icalRecurrence }, recurrenceId: replied.recurrenceId };
}

/** Gives the user's entries in a guest list the reply. */
function repliedGuests(guests: readonly Guest[], { status, own, entry }: OwnReply): Guest[] {
  const isListed = guests.some(({ email }) => own.has(email));
  const replied = guests.map((guest) => (own.has(guest.email) ? { ...guest, status } : guest));
  return isListed || !entry ? replied : [...replied, { ...entry, status }];
}

function replyToRuleDay(series: RuleSeries, reply: OwnReply, day: string): RuleSeries {
  const { replies = [], ...rest } = series;
  const before = replies.find((one) => one.day === day);
  const guests = repliedGuests(before?.guests ?? [], { ...reply, entry: listedEntry(reply) });
  const others = replies.filter((one) => one !== before);
  return { ...rest, ...listedReplies([...others, { day, guests, own: reply.status }]) };
}

/** Returns the user's entry in the occurrence's guest list, or the one to add. */
function listedEntry({ own, entry, occurrence }: OwnReply): Guest | null {
  return occurrence?.attendees.find(({ email }) => own.has(email)) ?? entry;
}
