import { isDeepStrictEqual } from "node:util";
import type { EventState } from "@/server/domain/events/event-state";
import { exceptionsByDay } from "@/server/domain/events/exceptions-by-day";
import { icalExceptionsByDay } from "@/server/domain/merge/ical-exceptions";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import { whole } from "@/server/domain/pieces";

/** The units of a merge: the texts of an event, `when` (start, end and time zone), and its rule. */
export type Field = "summary" | "description" | "location" | "url" | "transparency" | "conferencing" | "when" | "rule";

/**
 * Lists the changes that a write makes to an event: names of fields, days (`2026-11-30`) of single occurrences, and
 * addresses of guests who were invited or removed. Applications cannot write the rest.
 */
export function changedFieldsOf(before: EventState, after: EventState): string[] {
  const [one, other] = [atTimesOf(plain(before), after), plain(after)];
  const fields = Object.entries(parts).flatMap(([name, of]) =>
    isDeepStrictEqual(of(one, other), of(other, other)) ? [] : [name],
  );
  const [was, is] = [exceptionsOf(one), exceptionsOf(other)];
  const days = [...new Set([...was.keys(), ...is.keys()])];
  const changedDays = days.filter((day) => !isDeepStrictEqual(was.get(day), is.get(day)));
  return [...fields, ...changedDays, ...changedGuests(before, after)];
}

/**
 * Adds the days of exceptions to the changes of a write that moves a provider's series, for a provider that drops the
 * exceptions of a moved series: nobody else removed them.
 */
export function withDroppedExceptions(changedFields: readonly string[] | null, { icalRecurrence }: EventState) {
  if (!changedFields || !icalRecurrence) return changedFields;
  return [...new Set([...changedFields, ...icalExceptionsByDay(icalRecurrence).keys()])];
}

function changedGuests(before: EventState, after: EventState): string[] {
  const [was, is] = [before, after].map(({ attendees }) => new Set(attendees.map(({ email }) => email)));
  return [...new Set([...(was ?? []), ...(is ?? [])])].filter((email) => was?.has(email) !== is?.has(email));
}

const parts: Readonly<Record<Field, (state: EventState, after: EventState) => unknown>> = {
  summary: ({ summary }) => summary,
  description: ({ description }) => description,
  location: ({ location }) => location || null,
  url: ({ url }) => url || null,
  transparency: ({ transparency }) => transparency,
  conferencing: ({ conferencing }) => conferencing,
  when: ({ span, tzid }, after) => [span, saysZone(after) ? tzid : null],
  rule: ruleOf,
};

/**
 * Reports whether an event names its zone: a single one may be written in UTC, without the zone that it has in its
 * calendar.
 */
function saysZone({ tzid, ruleSeries: series, icalRecurrence }: EventState): boolean {
  return tzid !== null || series !== null || icalRecurrence !== null;
}

/** Resets the start of a provider's series, which belongs to `when`: whatever only moves along with it is unchanged. */
function atTimesOf(before: EventState, { icalRecurrence: after }: EventState): EventState {
  const { icalRecurrence } = before;
  return after && icalRecurrence ? { ...before, icalRecurrence: whole(shiftSeries(icalRecurrence, after)) } : before;
}

/** Returns the rule of a series, with exceptions that apply to all days after them. */
function ruleOf({ ruleSeries: series, icalRecurrence }: EventState): unknown {
  if (series) return series.rule;
  if (!icalRecurrence) return null;
  const { rrules, exrules, rdates, overrides } = icalRecurrence;
  return [rrules, exrules, rdates, overrides.filter(({ following }) => following)];
}

function exceptionsOf({ ruleSeries, icalRecurrence }: EventState): ReadonlyMap<string, unknown> {
  return icalRecurrence && !ruleSeries ? icalExceptionsByDay(icalRecurrence) : exceptionsByDay(ruleSeries);
}

/** Converts a state to plain JSON values, so that one read from the database compares with one built here. */
function plain(state: EventState): EventState {
  return JSON.parse(JSON.stringify(state));
}
