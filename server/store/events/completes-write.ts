import { isPending } from "@/server/domain/events/conferencing";
import { repliesOfDay } from "@/server/domain/events/day-replies";
import type { DayReplies, EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { sameContent } from "@/server/store/events/event-record";

/**
 * Reports whether a change only completes the application's own write: the requested meeting link is there. Just after
 * a write also whether guests are invited again, and the calendar names the organizer, who is none of the guests.
 */
export function completesWrite(before: EventState, after: EventState, isJustWritten: boolean): boolean {
  const conferencing = isPending(before.conferencing) ? after.conferencing : before.conferencing;
  if (!isJustWritten) return sameContent({ ...before, conferencing }, after);
  const { organizer } = after;
  const invited = new Set(after.attendees.flatMap(({ email, status }) => (status === "needs_action" ? [email] : [])));
  const guests = before.attendees.filter(({ email }) => email !== organizer?.email);
  const attendees = guests.map(
    (guest): Guest => (invited.has(guest.email) ? { ...guest, status: "needs_action" } : guest),
  );
  const ruleSeries = withRepeatedInvitations(before, after);
  return sameContent({ ...before, conferencing, attendees, organizer, ruleSeries }, after);
}

/** Returns the series before, with the replies of after if these differ only in that guests are invited again for some days. */
function withRepeatedInvitations(before: EventState, after: EventState): RuleSeries | null {
  const [was, is] = [before.ruleSeries, after.ruleSeries];
  if (!was || !is || !(was.replies ?? is.replies)) return was;
  const [old, now] = [byDay(was), byDay(is)];
  const days = [...new Set([...old.keys(), ...now.keys()])];
  const isNoNews = days.every((day) => onlyAsks([before, old.get(day)], [after, now.get(day)]));
  return isNoNews ? { ...was, replies: is.replies } : was;
}

type DayState = [state: EventState, replies: DayReplies | undefined];

function onlyAsks([before, was]: DayState, [after, is]: DayState): boolean {
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
