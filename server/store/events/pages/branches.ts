import type { Instant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { firstDayAfter, firstDayFrom } from "@/server/domain/time/zone";
import type { Frame, Position } from "@/server/store/events/pages/frame";
import { type LocalStarts, storedPosition } from "@/server/store/events/pages/local-starts";

const DAY_MS = 86_400_000;

/**
 * One kind of occurrence within a window, in stored times. Timed ones are on the time line; all-day ones are stored as
 * UTC midnights and lie between local midnights of the request's zone (ADR 90), so that their bounds are dates.
 */
export interface Branch {
  allDay: boolean;
  /**
   * An occurrence is in the window when it starts before `until`, and either starts at or after `begins` or ends at or
   * after `reaches`.
   */
  begins: Instant;
  reaches: Instant;
  until: Instant;
  /** A day before `begins`: an occurrence that started earlier and reaches into the window is over 24 hours long. */
  lookback: Instant;
  /** The page begins after (at, uid); null on a first page. */
  after: { at: Instant; uid: string } | null;
}

/** Returns the two kinds of a read. */
export function branches(frame: Frame, starts: LocalStarts, position: Position | null): [Branch, Branch] {
  const { from, to } = frame;
  const begins = utcMidnight(firstDayFrom(starts.zone, from));
  const timed: Branch = {
    allDay: false,
    begins: from,
    reaches: (from + 1) as Instant,
    until: to,
    lookback: dayBefore(from),
    after: position,
  };
  const allDay: Branch = {
    allDay: true,
    begins,
    reaches: utcMidnight(firstDayAfter(starts.zone, from)),
    until: utcMidnight(firstDayFrom(starts.zone, to)),
    lookback: dayBefore(begins),
    after: position && storedPosition(starts, position),
  };
  return [timed, allDay];
}

function dayBefore(at: Instant): Instant {
  return (at - DAY_MS) as Instant;
}

/** Reports whether a page is past everything that began more than a day before the window. */
export function isPastLookback({ after, lookback }: Branch): boolean {
  return after !== null && after.at >= lookback;
}
