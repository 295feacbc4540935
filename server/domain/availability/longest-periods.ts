import type { Interval } from "@/server/domain/availability/intervals";
import type { Offer, Question } from "@/server/domain/availability/question";
import { type Lane, participantsOf, type Roster, stretchesOf, tallyOf } from "@/server/domain/availability/roster";
import type { Instant } from "@/server/domain/time/instant";

/**
 * Lists the periods that cannot be made longer on either side: whoever is free throughout is enough for every group. None lies within
 * another; they overlap where others make up a group's number.
 */
export function longestPeriods(roster: Roster, { durationMs, most }: Question): Offer[] {
  const offers: Offer[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { start, free } of stretchesOf(roster)) {
    if (offers.length >= most) break;
    // Such a period begins where the free time of one of its participants begins.
    if (![...free.values()].some((one) => one.start === start)) continue;
    const end = endOfEnough(free, roster);
    // One that does not end later than those before lies within one of them.
    if (end === null || end <= last) continue;
    last = end;
    if (end - start < durationMs) continue;
    offers.push({ start, end, participants: participantsOf(roster, (lane) => isFreeUntil(end, free.get(lane))) });
  }
  return offers;
}

/** Finds how long enough of those who are free stay so: as few as possible are taken, those who are free for longest first. */
function endOfEnough(free: ReadonlyMap<Lane, Interval>, { needs }: Roster): Instant | null {
  const tally = tallyOf(needs);
  for (const [lane, { end }] of [...free].sort(([, one], [, other]) => other.end - one.end)) {
    tally.add(lane);
    if (tally.isEnough()) return end;
  }
  return null;
}

function isFreeUntil(end: Instant, free: Interval | undefined): boolean {
  return free !== undefined && free.end >= end;
}
