import type { Pieces } from "@/server/domain/pieces";
import { type DateValue, readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { readDuration } from "@/server/domain/recurrence/rfc5545/duration";
import { standardRule } from "@/server/providers/caldav/icalendar/lenient/rules";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { type ContentLine, propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";

const DATES_A_PIECE = 500;

/** Reports whether strict readers understand when an event begins and ends. What they don't is written again (ADR 92). */
export function hasStandardTimes(component: Component): boolean {
  const [starts, ends, lengths] = ["DTSTART", "DTEND", "DURATION"].map((name) => propertiesOf(component, name));
  if (starts?.length !== 1 || (ends?.length ?? 0) + (lengths?.length ?? 0) > 1) return false;
  return (
    [...starts, ...(ends ?? [])].every(isStandardDate) && (lengths ?? []).every(({ value }) => readDuration(value))
  );
}

/** Reports whether strict readers understand by which rules and on which days a master repeats. Works in pieces. */
export function* hasStandardRules(component: Component): Pieces<boolean> {
  for (const { value } of ["RRULE", "EXRULE"].flatMap((name) => propertiesOf(component, name))) {
    if (standardRule(value) !== value) return false;
    yield;
  }
  return (
    (yield* hasStandardDates(component, "RDATE", component)) &&
    (yield* hasStandardDates(component, "EXDATE", component))
  );
}

/**
 * Reports whether strict readers find the dates of a property, each on the clock of the master's DTSTART or in UTC.
 * Works in pieces.
 */
export function* hasStandardDates(component: Component, name: string, master: Component): Pieces<boolean> {
  const hasZone = propertyOf(master, "DTSTART")?.params.tzid !== undefined;
  for (const { value: list, params } of propertiesOf(component, name)) {
    yield;
    for (let [from, read] = [0, 1]; from <= list.length; read += 1) {
      const comma = list.indexOf(",", from);
      const end = comma < 0 ? list.length : comma;
      const date = { params, value: list.slice(from, end).split("/", 1)[0] ?? "" };
      if (!isStandardDate(date) || (hasZone && params.tzid === undefined && kindOf(date) === "local")) return false;
      if (read % DATES_A_PIECE === 0) yield;
      from = end + 1;
    }
  }
  return true;
}

function isStandardDate(line: Pick<ContentLine, "value" | "params">): boolean {
  const kind = kindOf(line);
  return kind !== undefined && (kind === "date") === (line.params.value?.toLowerCase() === "date");
}

/** Determines the kind of a date. Returns undefined if the date isn't in the standard's own spelling. */
function kindOf({ value }: Pick<ContentLine, "value">): DateValue["kind"] | undefined {
  return /^\d{8}(?:T\d{6}Z?)?$/.test(value) ? readDateValue(value)?.kind : undefined;
}
