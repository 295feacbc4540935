import { type Field, isObject, refuseUnknown } from "@/server/domain/recurrence/body-field";
import type { Frequency, RuleWeekday } from "@/server/domain/recurrence/rule";

/** Every weekday in every position of a month: more entries could only repeat these. */
export const MAX_BY_DAY = 35;

const fields = ["day", "nth_of_period"];
/** `day` of an entry, Monday first. */
export const weekdayNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
/** `nth_of_period` of an entry. -1 is the last. */
export const placesInMonth = [1, 2, 3, 4, -1] as const;
const names: readonly unknown[] = weekdayNames;
const places: readonly unknown[] = placesInMonth;

/**
 * Reads `by_day`: `{ day }` in weekly rules, `{ day, nth_of_period }` in monthly ones, in no others ("Recurrence
 * rule").
 * @param frequency null when it could not be parsed
 * @returns null with any error
 */
export function readByDay(raw: unknown, frequency: Frequency | null, field: Field): RuleWeekday[] | null {
  if (!Array.isArray(raw)) field.add("errors.invalid_type", "must be an array");
  else if (raw.length === 0) field.add("errors.too_small", "must have at least one entry");
  else if (raw.length > MAX_BY_DAY) field.add("errors.too_big", `must have at most ${MAX_BY_DAY} entries`);
  else return readEntries(raw, frequency, field);
  return null;
}

function readEntries(raw: readonly unknown[], frequency: Frequency | null, field: Field): RuleWeekday[] | null {
  const issuesBefore = field.issues.length;
  const entries = raw.map((entry, i) => readEntry(entry, field.at(i)));
  if (frequency === "daily" || frequency === "yearly") {
    field.add("errors.invalid", `is only allowed in weekly and monthly rules, not in ${frequency} rules`);
  }
  if (frequency === "weekly" && entries.some(({ nth }) => nth !== null)) {
    field.add("errors.invalid", "must not have nth_of_period in a weekly rule");
  } else if (frequency === "monthly" && raw.some((entry) => isObject(entry) && entry.nth_of_period === undefined)) {
    field.add("errors.invalid", "must have nth_of_period in a monthly rule");
  }
  return field.issues.length > issuesBefore ? null : entries;
}

function readEntry(raw: unknown, field: Field): RuleWeekday {
  if (!isObject(raw)) {
    field.add("errors.invalid_format", "must be an object with day");
    return { weekday: 0, nth: null };
  }
  refuseUnknown(raw, fields, field);
  const { day, nth_of_period: nth } = raw;
  if (day === undefined) field.at("day").add("errors.required", "is required");
  else if (!names.includes(day)) field.at("day").add("errors.invalid_value", `must be one of ${names.join(", ")}`);
  if (nth !== undefined && !places.includes(nth)) {
    field.at("nth_of_period").add("errors.invalid_value", `must be one of ${places.join(", ")}`);
  }
  return { weekday: names.indexOf(day), nth: typeof nth === "number" ? nth : null };
}
