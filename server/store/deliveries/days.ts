import { clock } from "@/server/clock";
import type { Binding } from "@/server/db/composed";
import { timeOfOrderedHex } from "@/server/db/ordered-hex";
import { DELIVERIES_KEPT_DAYS } from "@/server/domain/retention";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MICROS_IN_MS = 1_000;

/**
 * The tolerated difference between an id's time, which its process sets, and `created_at`, mostly set by the database:
 * seconds in practice. A larger one, from a wrong clock, is found by the search in all days: a longer tolerance would
 * only add days to every search.
 */
const APART_MS = HOUR_MS;
/**
 * The tolerated difference between clocks: an attempt has the time of its process, which may have written it that long
 * before its delivery, or after its end.
 */
export const CLOCKS_APART_MS = DAY_MS;

/**
 * The range in which deliveries were created, and the first time at which they were attempted: as texts that PostgreSQL
 * knows when it plans, so that it neither reads nor plans for the partitions of other days.
 */
export interface Days {
  from: string;
  before: string;
  attemptedFrom: string;
}

/** Values that PostgreSQL knows when it plans, like those of `Days`. */
export type Times = Pick<Days, "from" | "before">;

export const everyDay: Days = { from: "-infinity", before: "infinity", attemptedFrom: "-infinity" };

/** Creates a range from microseconds since 1970. */
export function daysBetween(from: number, before: number): Days {
  return {
    from: timeText(from),
    before: timeText(before),
    attemptedFrom: timeText(from - CLOCKS_APART_MS * MICROS_IN_MS),
  };
}

/**
 * Creates the range of the last hours before a time in milliseconds since 1970. It includes what a process whose clock
 * is ahead has just attempted.
 */
export function lastHours(now: number, hours: number): Times {
  return { from: timeText((now - hours * HOUR_MS) * MICROS_IN_MS), before: timeText((now + APART_MS) * MICROS_IN_MS) };
}

/**
 * Formats microseconds since 1970 for PostgreSQL. Times outside of the representable range become infinite: nothing is
 * stored there.
 */
export function timeText(micros: number): string {
  if (micros < 0) return "-infinity";
  if (micros > Number.MAX_SAFE_INTEGER) return "infinity";
  const ms = Math.floor(micros / MICROS_IN_MS);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros - ms * MICROS_IN_MS).padStart(3, "0")}Z`;
}

/** Returns the SQL condition that a delivery was created in those days. Both are the names of values. */
export const isOfDays = (delivery: string, from: string, before: string) =>
  `${delivery}.created_at >= ${from}::timestamptz AND ${delivery}.created_at < ${before}::timestamptz`;

/**
 * Returns the same condition for a walk along an index in time order. For a closed range PostgreSQL without statistics
 * expects so few rows that it would sort them all: the end is written so that the planner does not see a range.
 */
export function isOfDaysWalked(delivery: string, days: Days, put: Binding["put"]): string[] {
  const from = days.from === everyDay.from ? [] : [`${delivery}.created_at >= ${put(days.from)}::timestamptz`];
  if (from.length > 0) return [...from, ...endOf(delivery, days, put)];
  return days.before === everyDay.before ? [] : [`${delivery}.created_at < ${put(days.before)}::timestamptz`];
}

/** Returns the same condition for rows that something else finds: it only limits the partitions to plan for. */
export function isOfDaysFound(delivery: string, days: Days, put: Binding["put"]): string[] {
  const either = (value: string) => `${delivery}.created_at >= ${put(value)}::timestamptz`;
  const from = days.from === everyDay.from ? [] : [`(${either(days.from)} OR ${either(days.before)})`];
  return [...from, ...endOf(delivery, days, put)];
}

/**
 * Returns the conditions for the end of the range. The second half is redundant, and keeps the planner from seeing the
 * end of a range.
 */
function endOf(delivery: string, { from, before }: Days, put: Binding["put"]): string[] {
  const either = (value: string) => `${delivery}.created_at < ${put(value)}::timestamptz`;
  return before === everyDay.before ? [] : [`(${either(before)} OR ${either(from)})`];
}

/**
 * Looks for a delivery in the days that its id indicates, and in all days only if it is not there: ids from before ADR
 * 75 indicate none, and invented ones may indicate any.
 */
export async function findDelivery<Row>(id: string, find: (days: Days) => Promise<Row[]>): Promise<Row[]> {
  const days = daysOfIds([id]);
  const rows = days === null ? [] : await find(days);
  return rows.length > 0 ? rows : await find(everyDay);
}

/** Looks for several deliveries in the same way. `find` returns the rows of the ids that it found. */
export async function findDeliveries<Row extends { id: string }>(
  ids: readonly string[],
  find: (ids: readonly string[], days: Days) => Promise<Row[]>,
): Promise<Row[]> {
  const dated = ids.filter((id) => timeOfId(id) !== null);
  const days = daysOfIds(dated);
  const rows = days === null ? [] : await find(dated, days);
  const there = new Set(rows.map(({ id }) => id));
  const others = ids.filter((id) => !there.has(id));
  return others.length === 0 ? rows : [...rows, ...(await find(others, everyDay))];
}

function daysOfIds(ids: readonly string[]): Days | null {
  const times = ids.flatMap((id) => timeOfId(id) ?? []);
  if (times.length === 0) return null;
  return daysBetween((Math.min(...times) - APART_MS) * MICROS_IN_MS, (Math.max(...times) + APART_MS) * MICROS_IN_MS);
}

/** Reads the time of an id. Null: it is outside of the days of which deliveries are kept. */
function timeOfId(id: string): number | null {
  const [, hex] = /^whd_([\da-f]{24})$/.exec(id) ?? [];
  if (hex === undefined) return null;
  const time = timeOfOrderedHex(hex);
  const age = clock().now() - time;
  return age > -APART_MS && age < (DELIVERIES_KEPT_DAYS + 1) * DAY_MS ? time : null;
}
