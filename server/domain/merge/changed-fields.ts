import { isDeepStrictEqual } from "node:util";
import type { EventState } from "@/server/domain/events/event-state";
import { exceptionsByDay } from "@/server/domain/events/exceptions-by-day";
import { icalExceptionsByDay } from "@/server/domain/merge/ical-exceptions";
import { shiftSeries } from "@/server/domain/merge/shift-series";
import { whole } from "@/server/domain/pieces";

/** The parts of an event that are merged as one: its texts, `when` (start, end and time zone), and its rule. */
export type Field = "summary" | "description" | "location" | "url" | "transparency" | "conferencing" | "when" | "rule";

/**
 * The changes that a write makes to an event: names of fields, days (`2026-11-30`) of single occurrences, and addresses of guests who
 * were invited or removed. Applications cannot write the rest.
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
 * The changes of a write that moves a provider's series, with the days of its exceptions, for a provider that drops the exceptions of a
 * series that moves: nobody else took them out.
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

/** A single event may be written in UTC, without naming the zone that it has in its calendar. */
function saysZone({ tzid, ruleSeries: series, icalRecurrence }: EventState): boolean {
  return tzid !== null || series !== null || icalRecurrence !== null;
}

/** The start of a provider's series is the event's start, which belongs to `when`: what only moves along with it is unchanged. */
function atTimesOf(before: EventState, { icalRecurrence: after }: EventState): EventState {
  const { icalRecurrence } = before;
  return after && icalRecurrence ? { ...before, icalRecurrence: whole(shiftSeries(icalRecurrence, after)) } : before;
}

/** Exceptions that are for the days after them, too, belong to the rule. */
function ruleOf({ ruleSeries: series, icalRecurrence }: EventState): unknown {
  if (series) return series.rule;
  if (!icalRecurrence) return null;
  const { rrules, exrules, rdates, overrides } = icalRecurrence;
  return [rrules, exrules, rdates, overrides.filter(({ following }) => following)];
}

function exceptionsOf({ ruleSeries, icalRecurrence }: EventState): ReadonlyMap<string, unknown> {
  return icalRecurrence && !ruleSeries ? icalExceptionsByDay(icalRecurrence) : exceptionsByDay(ruleSeries);
}

/** As JSON, so that a state read from the database compares with one built here. */
function plain(state: EventState): EventState {
  return JSON.parse(JSON.stringify(state));
}
