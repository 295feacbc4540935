import type { Interval } from "@/server/domain/availability/intervals";
import type { Offer, Question } from "@/server/domain/availability/question";
import {
  type Lane,
  participantsOf,
  type Roster,
  type Stretch,
  stretchesOf,
  tallyOf,
} from "@/server/domain/availability/roster";
import type { Instant } from "@/server/domain/time/instant";

/**
 * Lists the periods that cannot be made longer on either side: whoever is free throughout is enough for every group. None lies within
 * another; they overlap where others make up a group's number.
 */
export function longestPeriods(roster: Roster, { durationMs, most }: Question): Offer[] {
  const offers: Offer[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { start, begins, free } of stretchesOf(roster)) {
    if (offers.length >= most) break;
    // Such a period begins where the free time of one of its participants begins.
    if (!begins) continue;
    // One that does not end later than those before lies within one of them.
    const end = endOfEnough(freeBeyond(free, Math.max(last, start + durationMs - 1)), roster);
    if (end === null) continue;
    last = end;
    offers.push({ start, end, participants: participantsOf(roster, (lane) => isFreeUntil(end, free.get(lane))) });
  }
  return offers;
}

function freeBeyond(free: Stretch["free"], time: number): [Lane, Interval][] {
  const longer: [Lane, Interval][] = [];
  for (const entry of free) if (entry[1].end > time) longer.push(entry);
  return longer;
}

/** Finds how long enough of those who are free now stay free at once: the fewest are taken, those first who do so for longest. */
function endOfEnough(free: [Lane, Interval][], { needs }: Roster): Instant | null {
  if (!areEnough(free, needs)) return null;
  const tally = tallyOf(needs);
  for (const [lane, { end }] of free.sort(([, one], [, other]) => other.end - one.end)) {
    tally.add(lane);
    if (tally.isEnough()) return end;
  }
  return null;
}

function areEnough(free: [Lane, Interval][], needs: readonly number[]): boolean {
  const tally = tallyOf(needs);
  for (const [lane] of free) tally.add(lane);
  return tally.isEnough();
}

function isFreeUntil(end: Instant, free: Interval | undefined): boolean {
  return free !== undefined && free.end >= end;
}
