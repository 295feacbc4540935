import { isDeepStrictEqual } from "node:util";
import type { StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { isSameRule, ruleFieldsOf } from "@/server/domain/merge/rule-fields";
import { mapped, type Pieces } from "@/server/domain/pieces";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { type DateText, seriesDate } from "@/server/domain/recurrence/rfc5545/series-dates";
import type { FirstOccurrence } from "@/server/domain/recurrence/spans";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { line, replaceLines } from "@/server/providers/caldav/icalendar/text/content-line";
import { hasStandardRules } from "@/server/providers/caldav/icalendar/write/standard-lines";
import type { NamedZone } from "@/server/providers/zone-names";

export interface SeriesToWrite {
  series: StoredIcalRecurrence | null;
  first: FirstOccurrence;
  named: NamedZone | null;
}

/**
 * Writes RRULE, RDATE, EXRULE and EXDATE of a master, each only if its value has changed, or strict readers don't understand it.
 * @param before the values that the component has now
 * @returns what has changed
 */
export function* writeRule(
  component: Component,
  now: SeriesToWrite,
  before: SeriesToWrite,
): Pieces<{ rule: boolean; exdates: boolean }> {
  const rule = !isSameDays(now, before);
  yield;
  const exdates = rule || !isSame(yield* exdatesOf(now), yield* exdatesOf(before));
  const { series } = now;
  const dates = (name: string, all: readonly DateText[] = []) => mapped(all, ({ text }) => dateLine(name, text, now));
  const isOdd = !(yield* hasStandardRules(component));
  if (rule || isOdd) {
    replaceLines(
      component,
      ["RRULE"],
      (series?.rrules ?? []).map((text) => line("RRULE", text)),
    );
    replaceLines(
      component,
      ["EXRULE"],
      (series?.exrules ?? []).map((text) => line("EXRULE", text)),
    );
    replaceLines(component, ["RDATE"], yield* dates("RDATE", series?.rdates));
  }
  if (exdates || isOdd) replaceLines(component, ["EXDATE"], yield* dates("EXDATE", series?.exdates));
  return { rule, exdates };
}

function isSameDays(now: SeriesToWrite, before: SeriesToWrite): boolean {
  const [next, stored] = [now.series, before.series];
  if (!next || !stored) return next === stored;
  if (!isDeepStrictEqual([next.exrules, next.rdates], [stored.exrules, stored.rdates])) return false;
  // The same local time in another zone is another time.
  if (next.rdates.length > 0 && now.first.zone !== before.first.zone) return false;
  if (isDeepStrictEqual(next.rrules, stored.rrules)) return true;
  const [one, other] = [ruleFieldsOf(next, now.first), ruleFieldsOf(stored, before.first)];
  return one !== null && other !== null && isSameRule(one, other);
}

/** Lists the excluded instants, and whole days where these are named. */
function* exdatesOf({ series, first: { zone } }: SeriesToWrite): Pieces<Set<string>> {
  const clock = { allDay: series?.allDay ?? false, zone };
  const { exdates = [], start } = series ?? {};
  const found = yield* mapped(exdates, ({ text }) => {
    const date = start === undefined ? null : seriesDate(text, null, { clock, start });
    return date && (date.wholeDay === null ? `${instantOn(clock, date.local)}` : `day ${date.wholeDay}`);
  });
  return new Set(found.filter((one) => one !== null));
}

function isSame(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return some.size === others.size && [...some].every((one) => others.has(one));
}

function dateLine(name: string, text: string, { named }: SeriesToWrite): string {
  const value = text.includes("/") ? "PERIOD" : /T/i.test(text) ? null : "DATE";
  const tzid = value !== "DATE" && named && !/Z/i.test(text) ? named.tzid : null;
  return line(name, text, { value, tzid });
}
