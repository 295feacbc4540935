import type { Interval } from "@/server/domain/availability/intervals";
import type { Offer, Question } from "@/server/domain/availability/question";
import { participantsOf, type Roster, stretchesOf } from "@/server/domain/availability/roster";
import type { Instant } from "@/server/domain/time/instant";

/** Lists the slots that fit, in order: all of them, or each the first that begins once the one before is over. */
export function slots(roster: Roster, { periods, durationMs, format, intervalMs, most }: Question): Offer[] {
  const starts = startTimes(roster, durationMs);
  const pace = format === "slots" ? durationMs : 1;
  const offers: Offer[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const { start, end, free } of stretchesOf(starts)) {
    for (;;) {
      const at = nextStart(periods, intervalMs, Math.max(from, start));
      if (at >= end) break;
      if (offers.length >= most) return offers;
      const participants = participantsOf(starts, (lane) => free.has(lane));
      offers.push({ start: at as Instant, end: (at + durationMs) as Instant, participants });
      from = at + pace;
    }
  }
  return offers;
}

/** Narrows free time to the times at which a slot may begin. Times are whole milliseconds: the last one is a millisecond before the end. */
function startTimes({ lanes, needs }: Roster, durationMs: number): Roster {
  const fitting = (free: readonly Interval[]) => free.filter(({ start, end }) => end - start >= durationMs);
  return {
    lanes: lanes.map((lane) => ({
      ...lane,
      free: fitting(lane.free).map(({ start, end }) => ({ start, end: (end - durationMs + 1) as Instant })),
    })),
    needs,
  };
}

/** Finds the earliest start, at or after a time, that is whole intervals after the beginning of a period that is not over. */
function nextStart(periods: readonly Interval[], intervalMs: number, from: number): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { start, end } of periods) {
    const at = start + Math.ceil(Math.max(0, from - start) / intervalMs) * intervalMs;
    if (at < end && at < earliest) earliest = at;
  }
  return earliest;
}
