import { longestPeriods } from "@/server/domain/availability/longest-periods";
import type { Offer, Question } from "@/server/domain/availability/question";
import { rosterOf } from "@/server/domain/availability/roster";
import { slots } from "@/server/domain/availability/slots";

/**
 * Finds the time that enough members of every group have free, sorted by start. A slot suits a member if none of their events overlaps it or
 * its buffers, and if it lies within their own time and within a query period. `periods` are as long as they can be, and every slot that fits
 * lies within one; `overlapping_slots` are all that begin at an interval; `slots` are the earliest of those that do not overlap.
 */
export function availability(question: Question): Offer[] {
  const roster = rosterOf(question);
  return question.format === "periods" ? longestPeriods(roster, question) : slots(roster, question);
}
