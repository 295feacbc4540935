import type {
  DayOfWeek,
  PatternedRecurrence,
  RecurrencePattern,
  RecurrenceRange,
} from "@microsoft/microsoft-graph-types";
import { badRequest, invalidProperty } from "./errors";
import type { Knobs, StoredTime } from "./state";
import { dateOf, placeOf } from "./times";
import { windowsName } from "./zone-names";

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const types = ["daily", "weekly", "absoluteMonthly", "relativeMonthly", "absoluteYearly", "relativeYearly"] as const;
const ranges = ["endDate", "noEnd", "numbered"] as const;
const indexes = ["first", "second", "third", "fourth", "last"] as const;
/** [K]: limits of Exchange. */
const LONGEST_INTERVAL = 999;
const MOST_OCCURRENCES = 999;
/** The last day that each month can have: CDO reference of DayOfMonth, "cannot be set past the last possible day in the selected month". */
const lastDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const wrong = (name: string) => invalidProperty(`The value of the recurrence's property '${name}' is not valid.`);

/** One of the values, whatever its case: the examples of "Schedule repeating appointments" begin days with capitals. */
function oneOf<T extends string>(values: readonly T[], given: unknown, name: string): T {
  const found = values.find((value) => value.toLowerCase() === String(given).toLowerCase());
  if (!found) throw wrong(name);
  return found;
}

function whole(given: unknown, least: number, most: number, name: string): number {
  if (typeof given !== "number" || !Number.isInteger(given) || given < least || given > most) throw wrong(name);
  return given;
}

/**
 * The stored form of a recurrence, with every field that responses show. `start` is the start of the event in the zone of the recurrence.
 * "Even if a field is ignored, it is still validated."
 */
export function storedRecurrence(knobs: Knobs, given: unknown, start: StoredTime): PatternedRecurrence | null {
  if (given === null || given === undefined) return null;
  const { pattern, range } = given as PatternedRecurrence;
  if (!pattern || !range) throw badRequest("ErrorInvalidRecurrence", "A recurrence needs a pattern and a range.");
  return { pattern: storedPattern(pattern), range: storedRange(knobs, range, start) };
}

function storedPattern(given: RecurrencePattern): RecurrencePattern {
  const type = oneOf(types, given.type, "type");
  const interval = whole(given.interval, 1, LONGEST_INTERVAL, "interval");
  const daysOfWeek = given.daysOfWeek?.map((day) => oneOf(days, day, "daysOfWeek")) ?? [];
  const firstDayOfWeek = oneOf(days, given.firstDayOfWeek ?? "sunday", "firstDayOfWeek");
  const index = oneOf(indexes, given.index ?? "first", "index");
  const isYearly = type.endsWith("Yearly");
  const month = isYearly ? whole(given.month, 1, 12, "month") : whole(given.month ?? 0, 0, 12, "month");
  const latest = isYearly ? (lastDays[month - 1] ?? 31) : 31;
  const isAbsolute = type.startsWith("absolute");
  const dayOfMonth = whole(given.dayOfMonth ?? 0, isAbsolute ? 1 : 0, isAbsolute ? latest : 31, "dayOfMonth");
  const needsDays = type === "weekly" || type.startsWith("relative");
  if (needsDays && daysOfWeek.length === 0) throw wrong("daysOfWeek");
  return {
    type,
    interval,
    // Sample of "Create event", Response 3: what does not belong to the type is 0 or a default.
    month: isYearly ? month : 0,
    dayOfMonth: isAbsolute ? dayOfMonth : 0,
    ...(needsDays && { daysOfWeek: inOrder(daysOfWeek) }),
    firstDayOfWeek,
    index: type.startsWith("relative") ? index : "first",
  };
}

const inOrder = (given: DayOfWeek[]) => days.filter((day) => given.includes(day));

function storedRange(knobs: Knobs, given: RecurrenceRange, start: StoredTime): RecurrenceRange {
  const type = oneOf(ranges, given.type, "range.type");
  const startDate = date(given.startDate, "startDate");
  // Type RecurrenceRange: "Must be the same value as the start property of the recurring event." What it gets otherwise is [K].
  if (startDate !== dateOf(start.local)) throw wrong("startDate");
  if (given.recurrenceTimeZone) placeOf(knobs, given.recurrenceTimeZone);
  const endDate = type === "endDate" ? date(given.endDate, "endDate") : "0001-01-01";
  if (type === "endDate" && endDate < startDate) throw wrong("endDate");
  const count = type === "numbered" ? whole(given.numberOfOccurrences, 1, MOST_OCCURRENCES, "numberOfOccurrences") : 0;
  const recurrenceTimeZone = start.shown === "" ? windowsName(start.zone) : start.shown;
  return { type, startDate, endDate, recurrenceTimeZone, numberOfOccurrences: count };
}

function date(given: unknown, name: string): string {
  if (typeof given !== "string" || !/^\d{4}-\d\d-\d\d$/.test(given) || Number.isNaN(Date.parse(given)))
    throw wrong(name);
  return given;
}

/** The zone in which a recurrence is written; undefined means that of the event. */
export function zoneOfRecurrence(knobs: Knobs, given: unknown): string | undefined {
  const name = (given as PatternedRecurrence | null)?.range?.recurrenceTimeZone;
  return name ? placeOf(knobs, name) : undefined;
}
