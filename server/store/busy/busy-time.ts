import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { Interval } from "@/server/domain/availability/intervals";
import { inTimeOf } from "@/server/domain/availability/taken-time";
import type { Zone } from "@/server/domain/time/zone";
import { busyOfAll, busyOfSome } from "@/server/store/busy/busy.sql";

/** What counts as busy besides what surely is. */
export interface BusyRules {
  tentative: boolean;
  unanswered: boolean;
}

/** A calendar whose busy time is asked for. */
export interface AskedCalendar {
  calendarId: string;
  /** Of its owner: all-day events are days there. */
  zone: Zone;
  /** Only the application's own events count. */
  onlyManaged: boolean;
}

export interface BusyQuestion {
  calendars: readonly AskedCalendar[];
  range: Interval;
  /** Omitted: everything is busy. */
  rules?: BusyRules;
  /** Events that are left out with their bookings, by the ids of their rows. */
  without?: readonly string[];
}

const ALL_BUSY: BusyRules = { tentative: true, unanswered: true };
const DAY_MS = 86_400_000;

/**
 * Reads the time that events take in calendars, in the order of `calendars`, each sorted. Times are widened to whole
 * seconds, as responses write them. What only touches the range is left out.
 */
export async function busyTime(
  db: Pick<Database, "query">,
  { calendars, range, rules = ALL_BUSY, without = [] }: BusyQuestion,
): Promise<Interval[][]> {
  const found: Interval[][] = calendars.map(() => []);
  if (calendars.length === 0) return found;
  const values = [
    calendars.map(({ calendarId }) => calendarId),
    calendars.map((_, place) => place),
    calendars.map(({ onlyManaged }) => onlyManaged),
    // All-day rows are UTC midnights, and their days begin up to 14 hours before and 12 hours after those.
    new Date(range.start - DAY_MS),
    new Date(range.end + DAY_MS),
    databaseTime(),
    without,
  ];
  const rows =
    rules.tentative && rules.unanswered
      ? await run(db.query, busyOfAll, values)
      : await run(db.query, busyOfSome, [...values, rules.unanswered, rules.tentative]);
  for (const { place, ...row } of rows) {
    const calendar = calendars[place];
    if (!calendar) continue;
    const one = inTimeOf(calendar.zone, row);
    if (one.end > range.start && one.start < range.end) found[place]?.push(one);
  }
  return found;
}
