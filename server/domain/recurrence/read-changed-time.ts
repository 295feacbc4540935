import { type Field, isObject, type JsonObject } from "@/server/domain/recurrence/body-field";
import type { Change } from "@/server/domain/recurrence/exceptions";
import { MOMENT_WORDS, type Moment, readMoment, span, spanWords } from "@/server/domain/time/moment";
import { namedZone } from "@/server/domain/time/named-zone";
import { UTC } from "@/server/domain/time/zone";

/**
 * Reads `start` and `end` of a changed occurrence: both or neither, strings or `{ time, tzid }` as in "POST …/events".
 * @returns null if omitted and with any error
 */
export function readChangedTime({ start, end }: JsonObject, field: Field): Change["span"] {
  if (start === undefined && end === undefined) return null;
  const from = readEnd(start, field.at("start"));
  const to = readEnd(end, field.at("end"));
  if (!from || !to) return null;
  const read = span(from, to);
  if (typeof read !== "string") return { allDay: read.allDay, starts: read.starts, ends: read.ends };
  const reason = read === "end_before_start" ? read : undefined;
  field.at("end").add("errors.invalid", spanWords(read, from), reason);
  return null;
}

function readEnd(raw: unknown, field: Field): Moment | null {
  if (isObject(raw)) return readZoned(raw, field);
  const moment = typeof raw === "string" ? readMoment(raw, null) : null;
  if (raw === undefined) field.add("errors.required", "is required: send start and end together");
  else if (typeof raw !== "string") {
    field.add("errors.invalid_type", "must be a string or an object with time and tzid");
  } else if (!moment) field.add("errors.invalid", MOMENT_WORDS);
  return moment;
}

function readZoned({ time, tzid }: JsonObject, field: Field): Moment | null {
  const named = typeof tzid === "string" ? namedZone(tzid)?.zone : undefined;
  if (tzid === undefined) field.at("tzid").add("errors.required", "is required", "time_zone");
  else if (typeof tzid !== "string") field.at("tzid").add("errors.invalid_type", "must be a string");
  else if (!named) field.at("tzid").add("errors.invalid", "is not an IANA time zone", "time_zone");
  // A local time is read as UTC if its zone is invalid, which is already reported.
  const moment = typeof time === "string" ? readMoment(time, named ?? UTC) : null;
  if (time === undefined) field.at("time").add("errors.required", "is required");
  else if (typeof time !== "string") field.at("time").add("errors.invalid_type", "must be a string");
  else if (!moment) field.at("time").add("errors.invalid", MOMENT_WORDS);
  return named ? moment : null;
}
