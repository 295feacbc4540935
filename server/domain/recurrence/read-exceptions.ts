import { type Field, isObject, type JsonObject, refuseUnknown } from "@/server/domain/recurrence/body-field";
import type { OccurrenceTexts, SentExceptions } from "@/server/domain/recurrence/exceptions";
import { readChangedTime } from "@/server/domain/recurrence/read-changed-time";
import { exceeds } from "@/server/domain/text";
import { MAX_DESCRIPTION, MAX_LOCATION, MAX_SUMMARY } from "@/server/domain/text-limits";
import { type Day, dayFault, parseDay } from "@/server/domain/time/day";

export const MAX_EXCEPTIONS = 64;

/**
 * Reads `recurrence.exceptions`: `add` and `change`, up to 64 entries each, a day named once over both ("Recurrence
 * rule").
 * @returns the entries without errors; an omitted list is null
 */
export function readExceptions(raw: unknown, field: Field): SentExceptions {
  if (!isObject(raw)) {
    field.add("errors.invalid_format", "must be an object with add and/or change");
    return { add: null, change: null };
  }
  refuseUnknown(raw, ["add", "change"], field);
  const named = new Set<Day>();
  return {
    add: readList(raw.add, field.at("add"), (entry, at, index) => {
      const day = readDay(entry, at.at("date"), named);
      return day === null ? null : { index, day };
    }),
    change: readList(raw.change, field.at("change"), (entry, at, index) => {
      const day = readDay(entry, at.at("date"), named);
      const span = readChangedTime(entry, at);
      const texts = readTexts(entry, at);
      return day === null ? null : { index, day, span, texts };
    }),
  };
}

function readList<Entry>(
  raw: unknown,
  field: Field,
  readEntry: (entry: JsonObject, at: Field, index: number) => Entry | null,
): Entry[] | null {
  if (raw === undefined) return null;
  if (!Array.isArray(raw)) {
    field.add("errors.invalid_type", "must be an array");
    return null;
  }
  if (raw.length > MAX_EXCEPTIONS) field.add("errors.too_big", `must have at most ${MAX_EXCEPTIONS} entries`);
  return raw.slice(0, MAX_EXCEPTIONS).flatMap((entry: unknown, index) => {
    if (!isObject(entry)) field.at(index).add("errors.invalid_format", "must be an object with date");
    const read = isObject(entry) ? readEntry(entry, field.at(index), index) : null;
    return read === null ? [] : [read];
  });
}

function readDay({ date }: JsonObject, field: Field, named: Set<Day>): Day | null {
  const day = typeof date === "string" ? parseDay(date) : null;
  if (date === undefined) field.add("errors.required", "is required");
  else if (day === null) field.add("errors.invalid", dayFault(date, "must be a date such as 2026-11-21"));
  else if (named.has(day)) field.add("errors.invalid", "is a duplicate: another exception already has this date");
  else {
    named.add(day);
    return day;
  }
  return null;
}

function readTexts({ summary, description, location }: JsonObject, field: Field): OccurrenceTexts {
  if (location !== undefined && !isObject(location))
    field.at("location").add("errors.invalid_type", "must be an object");
  const place = isObject(location) ? location.description : undefined;
  return {
    ...(isText(summary, MAX_SUMMARY, field.at("summary")) && { summary }),
    ...(isText(description, MAX_DESCRIPTION, field.at("description")) && { description }),
    ...(isText(place, MAX_LOCATION, field.at("location", "description")) && { location: place }),
  };
}

function isText(raw: unknown, max: number, field: Field): raw is string {
  if (typeof raw === "string" && !exceeds(raw, max)) return true;
  if (typeof raw === "string") field.add("errors.too_big", `must have at most ${max} characters`);
  else if (raw !== undefined) field.add("errors.invalid_type", "must be a string");
  return false;
}
