import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf, utcMidnight } from "@/server/domain/time/utc-day";
import { firstDayFrom, localDay, midnight, midnightOffsets, type Zone } from "@/server/domain/time/zone";
import type { Frame, Position } from "@/server/store/events/pages/frame";
import type { Parameters } from "@/server/store/events/pages/parameters";

const DAY_MS = 86_400_000;
const SECOND_MS = 1000;
/**
 * How many days before the window local midnights are exact. Earlier ones take the first offset: a fixed position in
 * the order, hours off at most.
 */
const EXACT_DAYS_BACK = 400;

/** The starts of all-day occurrences in the zone of a read. */
export interface LocalStarts {
  zone: Zone;
  /** Seconds between a date's midnights in UTC and in the zone: from the date `first` on, and from each step's date on. */
  first: Day;
  offset: number;
  steps: { day: Day; offset: number }[];
}

export function localStarts(frame: Frame, zone: Zone): LocalStarts {
  const first = (localDay(zone, frame.from) - EXACT_DAYS_BACK) as Day;
  const last = (localDay(zone, frame.to) + 1) as Day;
  const [head, ...steps] = midnightOffsets(zone, first, last);
  return { zone, first, offset: head?.offset ?? 0, steps };
}

/** Returns SQL for the instant at which the occurrence `o` starts. */
export function startOf({ offset, steps }: LocalStarts, p: Parameters): string {
  if (steps.length === 0 && offset === 0) return "o.starts";
  const offsets = p.put([offset, ...steps.map((step) => step.offset)], "int[]");
  const days = p.put(
    steps.map(({ day }) => `${formatDay(day)}T00:00:00Z`),
    "timestamptz[]",
  );
  const seconds = `(${offsets})[1 + width_bucket(o.starts, ${days})]`;
  return `CASE WHEN o.all_day THEN o.starts - ${seconds} * interval '1 second' ELSE o.starts END`;
}

/** Returns the start of an all-day occurrence that is stored with this start, as the cursor has it. */
export function localStart(frame: Frame, zone: Zone, stored: Instant): Instant {
  return startOfDay(localStarts(frame, zone), dayOf(stored));
}

/** Returns the position among stored dates of a position on the time line. Every uid follows "". */
export function storedPosition(starts: LocalStarts, { at, uid }: Position): { at: Instant; uid: string } {
  const day = dayFrom(starts, at);
  return { at: utcMidnight(day), uid: startOfDay(starts, day) === at ? uid : "" };
}

/** Returns the first date that starts at or after an instant. */
function dayFrom({ zone, first, offset }: LocalStarts, at: Instant): Day {
  const early = Math.ceil((at + offset * SECOND_MS) / DAY_MS) as Day;
  return early < first ? early : (Math.max(first, firstDayFrom(zone, at)) as Day);
}

function startOfDay({ zone, first, offset }: LocalStarts, day: Day): Instant {
  return day < first ? ((utcMidnight(day) - offset * SECOND_MS) as Instant) : midnight(zone, day);
}
