import type { Query } from "@/server/db/client";
import { type Interval, overlap } from "@/server/domain/availability/intervals";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { clampWindow } from "@/server/domain/window";
import { type Buffers, buffered, rangeOfSpans } from "@/server/services/availability/buffers";
import { askedCalendars, type MemberTime } from "@/server/services/availability/members";
import { shownProblem } from "@/server/services/availability/problems";
import type { Owner } from "@/server/services/bookings/owner";
import { Refusal, type TakenTime } from "@/server/services/refusal";
import { type BookedRow, withInvitations } from "@/server/store/bookings/invitations";
import { busyTime } from "@/server/store/busy/busy-time";

const MOST_CONFLICTS = 50;

export interface Judged {
  owner: Owner;
  members: ReadonlyMap<string, MemberTime>;
  spans: readonly Interval[];
  buffer: Buffers;
  /** What the providers said a moment ago, by calendar. */
  live: ReadonlyMap<string, readonly Interval[]>;
  /** The event that is booked: neither it nor its invitations are in its way. */
  own: BookedRow;
  now: Instant;
}

/**
 * Refuses a booking if its time is not free in every calendar, an account's time is not known, or its own calendar is
 * gone. Throws `taken`.
 */
export async function refuseTaken(query: Query, judged: Judged): Promise<void> {
  const { members, spans, buffer, live, own, now } = judged;
  const problems = problemsOf(judged);
  const needed = buffered(spans, buffer);
  const calendars = askedCalendars(members.values());
  const calendarIds = calendars.map(({ calendarId }) => calendarId);
  const without = await withInvitations(query, own, calendarIds);
  const busy = await busyTime({ query }, { calendars, range: rangeOfSpans(needed, now), without });
  const conflicts = calendars.flatMap(({ calendarId }, place) => {
    const all = [...(busy[place] ?? []), ...(live.get(calendarId) ?? [])];
    return all.filter((one) => needed.some((span) => overlap(one, span))).map((one) => ({ calendarId, ...one }));
  });
  if (conflicts.length === 0 && problems.length === 0) return;
  throw new Refusal({ kind: "taken", conflicts: shownConflicts(conflicts), problems });
}

function problemsOf({ members, owner, spans, now }: Judged) {
  const window = clampWindow({}, now);
  const isBeyond = spans.some(({ start, end }) => start < window.from || end > window.to);
  const problems = [...members.values()].flatMap(({ sub, problem }) => {
    if (problem) return [shownProblem(sub, problem)];
    return isBeyond ? [shownProblem(sub, { reason: "beyond_horizon", since: window.to })] : [];
  });
  if (!owner.isDeleted || problems.some(({ sub }) => sub === owner.accountId)) return problems;
  return [...problems, shownProblem(owner.accountId, { reason: "calendar_deleted", since: null })];
}

function shownConflicts(conflicts: readonly (Interval & { calendarId: string })[]): TakenTime[] {
  const shown = conflicts
    .toSorted((one, other) => one.start - other.start)
    .map(({ calendarId, start, end }) => ({
      calendar_id: calendarId,
      start: formatInstant(start),
      end: formatInstant(end),
    }));
  const seen = new Set<string>();
  const isNew = (one: TakenTime) => !seen.has(JSON.stringify(one)) && seen.add(JSON.stringify(one));
  return shown.filter(isNew).slice(0, MOST_CONFLICTS);
}
