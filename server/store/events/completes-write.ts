import { isPending } from "@/server/domain/events/conferencing";
import { repliesOfDay } from "@/server/domain/events/day-replies";
import type { DayReplies, EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { sameContent } from "@/server/store/events/event-record";

/**
 * Whether a change is only what the application's own write has become: the meeting link that it requested is there. Of an event that was
 * just written also that guests are asked again, and that the calendar names the organizer, who is none of the guests.
 */
export function completesWrite(before: EventState, after: EventState, isJustWritten: boolean): boolean {
  const conferencing = isPending(before.conferencing) ? after.conferencing : before.conferencing;
  if (!isJustWritten) return sameContent({ ...before, conferencing }, after);
  const { organizer } = after;
  const asked = new Set(after.attendees.flatMap(({ email, status }) => (status === "needs_action" ? [email] : [])));
  const guests = before.attendees.filter(({ email }) => email !== organizer?.email);
  const attendees = guests.map(
    (guest): Guest => (asked.has(guest.email) ? { ...guest, status: "needs_action" } : guest),
  );
  const ruleSeries = askedAgain(before, after);
  return sameContent({ ...before, conferencing, attendees, organizer, ruleSeries }, after);
}

/** The series before, with the replies of after if these differ only in that guests are asked again about some days. */
function askedAgain(before: EventState, after: EventState): RuleSeries | null {
  const [was, is] = [before.ruleSeries, after.ruleSeries];
  if (!was || !is || !(was.replies ?? is.replies)) return was;
  const [old, now] = [byDay(was), byDay(is)];
  const days = [...new Set([...old.keys(), ...now.keys()])];
  const isNoNews = days.every((day) => onlyAsks([before, old.get(day)], [after, now.get(day)]));
  return isNoNews ? { ...was, replies: is.replies } : was;
}

type OnDay = [state: EventState, replies: DayReplies | undefined];

function onlyAsks([before, was]: OnDay, [after, is]: OnDay): boolean {
  if (is?.own !== undefined && is.own !== was?.own) return false;
  const organizer = after.organizer?.email;
  const shown = (state: EventState, replies: DayReplies | undefined): readonly Guest[] =>
    (repliesOfDay(state, replies)?.attendees ?? state.attendees).filter(({ email }) => email !== organizer);
  const old = new Map(shown(before, was).map(({ email, status }) => [email, status]));
  const now = shown(after, is);
  const stays = now.every(({ email, status }) => old.has(email) && [old.get(email), "needs_action"].includes(status));
  return stays && now.length === old.size;
}

function byDay({ replies = [] }: RuleSeries): Map<string, DayReplies> {
  return new Map(replies.map((one) => [one.day, one]));
}
