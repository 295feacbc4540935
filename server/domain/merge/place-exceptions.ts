import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { daysOfSeries, localDay } from "@/server/domain/merge/series-days";
import { type SeriesShift, seriesClock, shiftedTime } from "@/server/domain/merge/series-shift";
import type { Pieces } from "@/server/domain/pieces";
import { type Budget, SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import { instantOn, midnightOf } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";

/** The parts that decide which occurrences a series has. */
type Rules = Pick<StoredIcalRecurrence, "rrules" | "exrules" | "rdates">;

interface ToPlace {
  shift: SeriesShift;
  before: Rules;
  after: Rules;
  /** The original starts of occurrences that have an exception. */
  originals: readonly LocalTime[];
}

/**
 * Finds the occurrences that exceptions of a series belong to after a shift: as far from DTSTART as before, otherwise
 * those of the same day, or of the same time if the rule itself names times. Null: the series no longer has that
 * occurrence. An exception that matched no occurrence before stays unmatched.
 */
export function* placeExceptions({
  shift,
  before,
  after,
  originals,
}: ToPlace): Pieces<ReadonlyMap<LocalTime, LocalTime | null>> {
  const budget: Budget = { steps: SERIES_STEPS };
  const choices = new Map(originals.map((local) => [local, choicesOf(shift, local)]));
  const now = yield* startsOn({ ...after, ...shift.to }, [...choices.values()].flat(), budget);
  const clock = seriesClock(shift.to);
  const places = new Map<LocalTime, LocalTime | null>();
  for (const [local, all] of choices)
    places.set(local, all.find((choice) => now.has(instantOn(clock, choice))) ?? null);
  const homeless = [...places].flatMap(([local, place]) => (place === null ? [local] : []));
  const were = yield* startsOn({ ...before, ...shift.from }, homeless, budget);
  for (const local of homeless) {
    const isBeside = !were.has(instantOn(seriesClock(shift.from), local));
    if (isBeside || budget.exhausted) places.set(local, shiftedTime(shift, local));
  }
  return places;
}

function choicesOf(shift: SeriesShift, local: LocalTime): LocalTime[] {
  const { from, to } = shift;
  const sameDay = (midnightOf(local) + (to.allDay ? 0 : to.start - midnightOf(to.start))) as LocalTime;
  return [shiftedTime(shift, local), sameDay, ...(from.allDay || to.allDay ? [] : [local])];
}

/** Computes when a series without exceptions has occurrences on the days of some local times. */
function* startsOn(
  series: Rules & SeriesShift["to"],
  locals: readonly LocalTime[],
  budget: Budget,
): Pieces<ReadonlySet<Instant>> {
  const days = [...new Set(locals.map(localDay))];
  const found = yield* daysOfSeries({ ...series, exdates: [], overrides: [] }, days, budget);
  return new Set([...found.values()].flatMap(({ occurrences }) => occurrences.map(({ starts }) => starts)));
}
