import { clock } from "@/server/clock";
import type { Binding } from "@/server/db/composed";
import { timeOfOrderedHex } from "@/server/db/ordered-hex";
import { DELIVERIES_KEPT_DAYS } from "@/server/domain/retention";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MICROS_IN_MS = 1_000;

/**
 * An id has the time of its process, `created_at` mostly that of the database, seconds apart. What is further apart than this, because a clock is
 * wrong, is found by the look everywhere: a longer time would only have more days looked at each time.
 */
const APART_MS = HOUR_MS;
/** An attempt has the time of its process. One whose clock is behind may have written it so long before its delivery, or one whose clock is ahead after its end. */
export const CLOCKS_APART_MS = DAY_MS;

/**
 * From when, and before when, deliveries were created, and from when on they were attempted: as texts that PostgreSQL knows when it plans, so that
 * it neither reads nor plans for the partitions of other days.
 */
export interface Days {
  from: string;
  before: string;
  attemptedFrom: string;
}

/** As values that PostgreSQL knows when it plans, as those of `Days`. */
export type Times = Pick<Days, "from" | "before">;

export const everyDay: Days = { from: "-infinity", before: "infinity", attemptedFrom: "-infinity" };

/** In microseconds since 1970. */
export function daysBetween(from: number, before: number): Days {
  return {
    from: timeText(from),
    before: timeText(before),
    attemptedFrom: timeText(from - CLOCKS_APART_MS * MICROS_IN_MS),
  };
}

/** The last hours before a time in milliseconds since 1970. What a process has just attempted whose clock is ahead is among them. */
export function lastHours(now: number, hours: number): Times {
  return { from: timeText((now - hours * HOUR_MS) * MICROS_IN_MS), before: timeText((now + APART_MS) * MICROS_IN_MS) };
}

/** As PostgreSQL reads a time in microseconds since 1970: none is stored of the years outside. */
export function timeText(micros: number): string {
  if (micros < 0) return "-infinity";
  if (micros > Number.MAX_SAFE_INTEGER) return "infinity";
  const ms = Math.floor(micros / MICROS_IN_MS);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(micros - ms * MICROS_IN_MS).padStart(3, "0")}Z`;
}

/** SQL: a delivery was created in those days. Both are the names of values. */
export const isOfDays = (delivery: string, from: string, before: string) =>
  `${delivery}.created_at >= ${from}::timestamptz AND ${delivery}.created_at < ${before}::timestamptz`;

/**
 * The same for a walk along an index in the order of time. Of a range, and not of one end, PostgreSQL expects so few rows where it has no
 * statistics that it would sort all there are: its end is written so that it is none.
 */
export function isOfDaysWalked(delivery: string, days: Days, put: Binding["put"]): string[] {
  const from = days.from === everyDay.from ? [] : [`${delivery}.created_at >= ${put(days.from)}::timestamptz`];
  if (from.length > 0) return [...from, ...endOf(delivery, days, put)];
  return days.before === everyDay.before ? [] : [`${delivery}.created_at < ${put(days.before)}::timestamptz`];
}

/** The same of rows that something else finds: it says only which partitions there are to plan for. */
export function isOfDaysFound(delivery: string, days: Days, put: Binding["put"]): string[] {
  const either = (value: string) => `${delivery}.created_at >= ${put(value)}::timestamptz`;
  const from = days.from === everyDay.from ? [] : [`(${either(days.from)} OR ${either(days.before)})`];
  return [...from, ...endOf(delivery, days, put)];
}

/** What is before the beginning is before the end too: the second half says nothing but that this is no end of a range. */
function endOf(delivery: string, { from, before }: Days, put: Binding["put"]): string[] {
  const either = (value: string) => `${delivery}.created_at < ${put(value)}::timestamptz`;
  return before === everyDay.before ? [] : [`(${either(before)} OR ${either(from)})`];
}

/**
 * Looks for a delivery in the days that its id tells, and only if it is not there in all: ids of before ADR 75 tell none, and those
 * that others made up may tell any.
 */
export async function findDelivery<Row>(id: string, find: (days: Days) => Promise<Row[]>): Promise<Row[]> {
  const days = daysOfIds([id]);
  const found = days === null ? [] : await find(days);
  return found.length > 0 ? found : await find(everyDay);
}

/** The same of several. `find` gives those of the ids that it found. */
export async function findDeliveries<Row extends { id: string }>(
  ids: readonly string[],
  find: (ids: readonly string[], days: Days) => Promise<Row[]>,
): Promise<Row[]> {
  const dated = ids.filter((id) => timeOfId(id) !== null);
  const days = daysOfIds(dated);
  const found = days === null ? [] : await find(dated, days);
  const there = new Set(found.map(({ id }) => id));
  const others = ids.filter((id) => !there.has(id));
  return others.length === 0 ? found : [...found, ...(await find(others, everyDay))];
}

function daysOfIds(ids: readonly string[]): Days | null {
  const times = ids.flatMap((id) => timeOfId(id) ?? []);
  if (times.length === 0) return null;
  return daysBetween((Math.min(...times) - APART_MS) * MICROS_IN_MS, (Math.max(...times) + APART_MS) * MICROS_IN_MS);
}

/** Null: it tells none of the days of which deliveries are kept. */
function timeOfId(id: string): number | null {
  const [, hex] = /^whd_([\da-f]{24})$/.exec(id) ?? [];
  if (hex === undefined) return null;
  const time = timeOfOrderedHex(hex);
  const age = clock().now() - time;
  return age > -APART_MS && age < (DELIVERIES_KEPT_DAYS + 1) * DAY_MS ? time : null;
}
