import type { DayReplies, EventState, OccurrenceChanges, RuleSeries } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";

/** Returns what an occurrence shows of replies to its day alone, or null if it shows the series' replies. */
export function repliesOfDay(state: EventState, replies: DayReplies | undefined): OccurrenceChanges | null {
  if (!replies) return null;
  const { guests, own } = replies;
  const attendees = guests.length === 0 ? null : guestsOfDay(state.attendees, guests);
  return { ...(attendees && { attendees }), ...(own !== undefined && { participation_status: own }) };
}

/** Keeps the replies to days that a rewritten series still has (`has`), without guests who were removed. */
export function keptReplies(
  { replies = [] }: Pick<RuleSeries, "replies">,
  { has, removed = [] }: { has(day: string): boolean; removed?: readonly string[] },
): Pick<RuleSeries, "replies"> {
  const left = replies.flatMap(({ guests, ...one }) =>
    has(one.day) ? { ...one, guests: guests.filter(({ email }) => !removed.includes(email)) } : [],
  );
  return listedReplies(left);
}

/** Sorts replies by day, as a series stores them, and omits an empty list. */
export function listedReplies(all: readonly DayReplies[]): Pick<RuleSeries, "replies"> {
  const replies = all.filter(({ guests, own }) => guests.length > 0 || own !== undefined);
  return replies.length === 0 ? {} : { replies: replies.sort((a, b) => (a.day < b.day ? -1 : 1)) };
}

/** Lists the series' guests with their replies to the day, then those who come on that day alone. */
function guestsOfDay(series: readonly Guest[], day: readonly Guest[]): Guest[] {
  const replies = new Map(day.map((guest) => [guest.email, guest]));
  const addresses = new Set(series.map(({ email }) => email));
  const came = day.filter(({ email }) => !addresses.has(email));
  return [...series.map((guest) => ({ ...guest, status: replies.get(guest.email)?.status ?? guest.status })), ...came];
}
