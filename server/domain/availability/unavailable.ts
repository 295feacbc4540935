import { type Interval, intersect, subtract, union } from "@/server/domain/availability/intervals";
import type { ProblemReason } from "@/server/domain/availability/problem";
import type { Member, Question } from "@/server/domain/availability/question";
import type { Instant } from "@/server/domain/time/instant";

/** Time in which a member cannot be offered, and why. */
export interface Unavailable extends Interval {
  sub: string;
  reason: ProblemReason | "busy" | "outside_available_periods";
}

/**
 * Lists what keeps members from being offered within the periods, sorted by start: events with the buffers around them,
 * and what lies outside a member's own time. A member with a problem has it as the only reason.
 */
export function unavailableTime(
  { members, periods, before, after }: Question,
  problems: ReadonlyMap<string, ProblemReason>,
): Unavailable[] {
  const asked = union(periods);
  const all = [...members].flatMap(([sub, member]): Unavailable[] => {
    const problem = problems.get(sub);
    const listed = (times: readonly Interval[], reason: Unavailable["reason"]) =>
      times.map((one) => ({ ...one, sub, reason }));
    if (problem) return listed(asked, problem);
    const busy = intersect(asked, takenTime(member, { before, after }));
    const outside = member.within ? subtract(asked, union(member.within)) : [];
    return [...listed(busy, "busy"), ...listed(outside, "outside_available_periods")];
  });
  return all.sort((one, other) => one.start - other.start);
}

/** Returns the time that a member's events take from a meeting with buffers: each is longer by them, at the other end. */
export function takenTime({ busy }: Pick<Member, "busy">, { before, after }: Pick<Question, "before" | "after">) {
  const events = busy.filter(({ start, end }) => start < end);
  return union(events.map(({ start, end }) => ({ start: (start - after) as Instant, end: (end + before) as Instant })));
}
