import { type EventContent, occurrenceChanges } from "@/server/domain/events/event-content";
import type { OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { inKindOf, overrideSpan } from "@/server/domain/events/occurrence-span";
import type { Pieces } from "@/server/domain/pieces";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { readRecurrenceId } from "@/server/domain/recurrence/rfc5545/series-dates";
import { cleaned } from "@/server/domain/text";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { readContent } from "@/server/providers/caldav/icalendar/read/read-content";
import {
  instantOf,
  readMoment,
  readTimes,
  type Times,
  timesFrom,
} from "@/server/providers/caldav/icalendar/read/read-times";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { type ContentLine, propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";

import type { Clocks } from "@/server/providers/caldav/icalendar/zones/clocks";

export interface ToRead {
  clocks: Clocks;
  ownAddresses: readonly string[];
}

/** A master, or what replaces it for occurrences whose series is not here. */
export interface Master {
  component: Component;
  times: Times;
  content: EventContent;
}

/** The limit for an untrusted series: a day for each of twenty-seven years. */
const MOST_DATES = 10_000;
const MOST_RULES = 100;
const LONGEST_DATE = 140;
const DATES_A_PIECE = 10;

/**
 * The recurrence of a master with its overrides. Null where it does not repeat. Dates are on the series' own clock, or in UTC if they
 * were written on another.
 */
export function* seriesRead(
  { component, times, content }: Master,
  overrides: readonly Component[],
  about: ToRead,
): Pieces<StoredIcalRecurrence | null> {
  const rules = (name: string) => propertiesOf(component, name, MOST_RULES).map(({ value }) => cleaned(value).trim());
  const read: StoredIcalRecurrence["overrides"][number][] = [];
  for (const one of overrides) {
    yield;
    read.push(...listed(readOverride(one, { times, content }, about)));
  }
  const series: StoredIcalRecurrence = {
    allDay: times.span.allDay,
    start: times.start,
    tzid: times.clock.tzid,
    duration: times.duration,
    rrules: rules("RRULE"),
    exrules: rules("EXRULE"),
    rdates: yield* datesOf("RDATE", component, { times, clocks: about.clocks }),
    exdates: yield* datesOf("EXDATE", component, { times, clocks: about.clocks }),
    overrides: read,
  };
  const repeats = series.rrules.length + series.rdates.length + series.overrides.length > 0;
  return repeats ? series : null;
}

function listed<Item>(item: Item | null): Item[] {
  return item === null ? [] : [item];
}

function* datesOf(
  name: string,
  component: Component,
  { times, clocks }: Pick<Master, "times"> & Pick<ToRead, "clocks">,
): Pieces<{ text: string }[]> {
  const dates: { text: string }[] = [];
  for (const line of propertiesOf(component, name, MOST_DATES)) {
    const items = itemsOf(line.value, MOST_DATES - dates.length);
    for (let from = 0; from < items.length; from += DATES_A_PIECE) {
      yield;
      for (const item of items.slice(from, from + DATES_A_PIECE)) dates.push(dateText(item, line, { times, clocks }));
    }
  }
  return dates;
}

/** The original start that an override names, on its series' clock. Null when it is invalid. */
function originalStart(component: Component, { span, start, clock }: Times, clocks: Clocks): LocalTime | null {
  for (const line of propertiesOf(component, "RECURRENCE-ID")) {
    const [item] = itemsOf(line.value, 1);
    const date = item === undefined ? null : dateText(item, line, { times: { span, clock }, clocks });
    const of = { clock: { allDay: span.allDay, zone: clock.zone }, start };
    const local = date && readRecurrenceId(date, of);
    if (local != null) return local;
  }
  return null;
}

/** What an override changes compared with its master. Null when its occurrence cannot be determined. */
export function readOverride(
  component: Component,
  { times, content }: Omit<Master, "component">,
  { clocks, ownAddresses }: ToRead,
): IcalOverride<OccurrenceChanges> | null {
  const recurrenceId = originalStart(component, times, clocks);
  if (recurrenceId === null) return null;
  const { span, clock, duration } = times;
  const own = readTimes(component, clocks) ?? timesFrom({ isDate: span.allDay, local: recurrenceId, clock }, duration);
  const on = { allDay: times.span.allDay, zone: times.clock.zone };
  const now = readContent(component, ownAddresses);
  const range = isForFollowing(component)
    ? { recurrenceId, ...inKindOf(on, own), following: true }
    : { recurrenceId, ...overrideSpan(on, own) };
  if (now.status === "cancelled") return { ...range, cancelled: true, fields: {} };
  return { ...range, fields: occurrenceChanges(now, content) };
}

/** RFC 5545 §3.2.13. THISANDPRIOR is from RFC 2445 and must no longer be written. */
function isForFollowing(component: Component): boolean {
  return propertyOf(component, "RECURRENCE-ID")?.params.range?.toUpperCase() === "THISANDFUTURE";
}

/** The values of a list, up to a limit. */
function itemsOf(value: string, most: number): string[] {
  const items = value.split(",", most).map((item) => cleaned(item.slice(0, LONGEST_DATE)).trim());
  return items.filter((item) => item !== "");
}

/** Each value of a list as a separate text, so that an invalid one does not affect the others. */
function dateText(
  item: string,
  line: ContentLine,
  { times: { span, clock }, clocks }: { times: Pick<Times, "span" | "clock">; clocks: Clocks },
): { text: string } {
  const ends = item.split("/").map((value) => {
    const moment = readMoment({ ...line, value }, clocks);
    if (!moment || moment.isDate || span.allDay || /Z$/i.test(value)) return value;
    const isOwn = moment.clock.tzid === clock.tzid && clock.zone !== null;
    return isOwn ? value : basic(instantOf(moment));
  });
  return { text: ends.join("/") };
}

function basic(at: Instant): string {
  return formatInstant(at).replace(/[-:]/g, "");
}
