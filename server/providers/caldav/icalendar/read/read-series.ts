import { type EventContent, occurrenceChanges } from "@/server/domain/events/event-content";
import type { OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { inKindOf, overrideSpan } from "@/server/domain/events/occurrence-span";
import type { Pieces } from "@/server/domain/pieces";
import { readDuration } from "@/server/domain/recurrence/rfc5545/duration";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { readRecurrenceId } from "@/server/domain/recurrence/rfc5545/series-dates";
import { basic, lengthText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { cleaned } from "@/server/domain/text";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";
import { readDate, standardDate } from "@/server/providers/caldav/icalendar/lenient/dates";
import { readLength } from "@/server/providers/caldav/icalendar/lenient/durations";
import { standardRule } from "@/server/providers/caldav/icalendar/lenient/rules";
import { readContent } from "@/server/providers/caldav/icalendar/read/read-content";
import {
  dayMeant,
  instantOf,
  readMoment,
  readTimes,
  type Times,
  timesFrom,
} from "@/server/providers/caldav/icalendar/read/read-times";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { type ContentLine, propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { type Clocks, clocksOn, utcClock } from "@/server/providers/caldav/icalendar/zones/clocks";

export interface ToRead {
  clocks: Clocks;
  ownAddresses: readonly string[];
}

/** A master, or what replaces it for occurrences whose series is not here. */
export interface Master {
  component: Component;
  times: Times;
  content: EventContent;
  /** It is an occurrence, whose rules are those of a series that is not here. */
  isOccurrence?: boolean;
}

/** The most dates that are read of a property, in all of an event: a day for each of twenty-seven years. */
export const MOST_DATES = 10_000;
const MOST_RULES = 100;
const LONGEST_DATE = 140;
const DATES_A_PIECE = 10;
const DAY_MS = 86_400_000;

/**
 * Gives the recurrence of a master with its overrides. Null where it does not repeat. Dates are on the series' own clock, or in UTC if they
 * were written on another. Of an occurrence whose series is not here only the dates count that Notes lists with it.
 */
export function* seriesRead(
  { component, times, content, isOccurrence = false }: Master,
  overrides: readonly Component[],
  about: ToRead,
): Pieces<StoredIcalRecurrence | null> {
  const rrules = isOccurrence ? [] : yield* rulesOf("RRULE", component);
  const to: ToDate = { times, clocks: about.clocks, namesDays: false };
  const rdates = isOccurrence ? yield* furtherDates(component, to) : yield* datesOf("RDATE", component, to);
  const namesDays = !isOccurrence && isDaily({ rrules, rdates });
  const read: StoredIcalRecurrence["overrides"][number][] = [];
  for (const one of overrides) {
    yield;
    read.push(...listed(readOverride(one, { times, content, namesDays }, about)));
  }
  const series: StoredIcalRecurrence = {
    allDay: times.span.allDay,
    start: times.start,
    tzid: times.clock.tzid,
    duration: times.duration,
    rrules,
    exrules: isOccurrence ? [] : yield* rulesOf("EXRULE", component),
    rdates,
    exdates: isOccurrence ? [] : yield* datesOf("EXDATE", component, { times, clocks: about.clocks, namesDays }),
    overrides: read,
  };
  const repeats = series.rrules.length + series.rdates.length + series.overrides.length > 0;
  return repeats ? series : null;
}

function listed<Item>(item: Item | null): Item[] {
  return item === null ? [] : [item];
}

/** Reads the rules in the standard's spelling. Rules that nobody can read stay as they are. */
function* rulesOf(name: "RRULE" | "EXRULE", component: Component): Pieces<string[]> {
  const rules: string[] = [];
  for (const { value } of propertiesOf(component, name, MOST_RULES)) {
    yield;
    rules.push(standardRule(cleaned(value).trim(), { excludes: name === "EXRULE" }));
  }
  return rules;
}

/** How the dates of a series are read. */
interface ToDate {
  times: Pick<Times, "span" | "clock" | "start">;
  clocks: Clocks;
  /** Midnight stands for the day. */
  namesDays: boolean;
}

/** Tells whether a day of a series has at most one occurrence, so that a midnight in its dates that is no start of it stands for the day. */
export function isDaily({ rrules, rdates }: Pick<StoredIcalRecurrence, "rrules" | "rdates">): boolean {
  return rdates.length === 0 && rrules.every((rule) => !/BYHOUR|HOURLY|MINUTELY|SECONDLY/i.test(rule));
}

/** Lists the dates that are given with an occurrence, other than its own. */
function* furtherDates(component: Component, to: ToDate): Pieces<{ text: string }[]> {
  const own = yield* datesOf("DTSTART", component, to);
  const all = yield* datesOf("RDATE", component, to);
  return all.filter(({ text }) => own.every((one) => one.text !== text.split("/", 1)[0]));
}

function* datesOf(name: "RDATE" | "EXDATE" | "DTSTART", component: Component, to: ToDate): Pieces<{ text: string }[]> {
  const dates: { text: string }[] = [];
  for (const line of propertiesOf(component, name, MOST_DATES)) {
    const items = itemsOf(line.value, MOST_DATES - dates.length);
    for (let from = 0; from < items.length; from += DATES_A_PIECE) {
      yield;
      for (const item of items.slice(from, from + DATES_A_PIECE)) dates.push(dateText(item, line, to));
    }
  }
  return dates;
}

/** Reads the original start that an override names, on the clock of its series. Returns null if it is invalid. */
function originalStart(component: Component, to: ToDate): LocalTime | null {
  const { span, start, clock } = to.times;
  for (const line of propertiesOf(component, "RECURRENCE-ID")) {
    const [item] = itemsOf(line.value, 1);
    const date = item === undefined ? null : dateText(item, line, to);
    const of = { clock: { allDay: span.allDay, zone: clock.zone }, start };
    const local = date && readRecurrenceId(date, of);
    if (local != null) return local;
  }
  return null;
}

/** Reads what an override changes compared with its master. Returns null if its occurrence can't be determined. */
export function readOverride(
  component: Component,
  { times, content, namesDays }: Pick<Master, "times" | "content"> & { namesDays: boolean },
  { clocks, ownAddresses }: ToRead,
): IcalOverride<OccurrenceChanges> | null {
  const recurrenceId = originalStart(component, { times, clocks, namesDays });
  if (recurrenceId === null) return null;
  const { span, clock, duration } = times;
  const moment = { isDate: span.allDay, local: recurrenceId, clock };
  const own = readTimes(component, clocksOn(clock, clocks)) ?? timesFrom(moment, duration);
  const on = { allDay: times.span.allDay, zone: times.clock.zone };
  const now = readContent(component, ownAddresses);
  const range = isForFollowing(component)
    ? { recurrenceId, ...inKindOf(on, own), following: true }
    : { recurrenceId, ...overrideSpan(on, own) };
  if (now.status === "cancelled") return { ...range, cancelled: true, fields: {} };
  return { ...range, fields: occurrenceChanges(now, content) };
}

/**
 * Reports whether an override also applies to all following occurrences (RFC 5545 §3.2.13). THISANDPRIOR is from RFC
 * 2445 and must no longer be written.
 */
function isForFollowing(component: Component): boolean {
  return propertyOf(component, "RECURRENCE-ID")?.params.range?.toUpperCase() === "THISANDFUTURE";
}

/** Splits a list into its values, up to a limit. Semicolons separate values, too. */
function itemsOf(value: string, most: number): string[] {
  const items = value.split(/[,;]/, most).map((item) => cleaned(item.slice(0, LONGEST_DATE)).trim());
  return items.filter((item) => item !== "");
}

/**
 * Writes a value of a list as a separate text on the series' clock, so that an invalid value doesn't affect the others.
 */
function dateText(item: string, line: ContentLine, to: ToDate): { text: string } {
  const [from = "", ...until] = item.split("/");
  const ends = until.map((value) => {
    if (readDuration(value)) return value;
    const length = readDate(value) ? null : readLength(value);
    return length ? lengthText(length) : momentText(value, line, { ...to, namesDays: false });
  });
  return { text: [momentText(from, line, to), ...ends].join("/") };
}

/** Writes a date in the standard's spelling. A date that can't be read stays as it is. */
function momentText(value: string, line: ContentLine, { times, clocks, namesDays }: ToDate): string {
  const moment = readMoment({ ...line, value }, clocks);
  if (!moment) return value;
  const { span, clock, start } = times;
  const { isDate, local, isFloating = false } = moment;
  if (isDate) return standardDate({ kind: "date", day: dayOf(local as number as Instant) });
  const isUtc = moment.clock === utcClock && !isFloating;
  if (span.allDay) {
    return standardDate({
      kind: "date",
      day: isUtc ? dayMeant(instantOf(moment), clocks) : dayOf(local as number as Instant),
    });
  }
  const isOwn = isFloating || (isUtc ? clock.zone === null : moment.clock.tzid === clock.tzid && clock.zone !== null);
  if (namesDays && (isOwn || !isUtc) && local % DAY_MS === 0 && start % DAY_MS !== 0) {
    return standardDate({ kind: "date", day: dayOf(local as number as Instant) });
  }
  if (!isOwn || isUtc) return basic(instantOf(moment));
  return /^\d{8}T\d{6}$/.test(value) ? value : localText(local);
}
