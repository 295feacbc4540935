import type { Pieces } from "@/server/domain/pieces";
import { type Budget, spend } from "@/server/domain/recurrence/rfc5545/budget";
import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import { expandRrule } from "@/server/domain/recurrence/rfc5545/expand-rrule";
import { type Frequency, readRrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import { instantOn, localOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import {
  type DateText,
  type PeriodEnd,
  type SeriesDate,
  seriesDate,
} from "@/server/domain/recurrence/rfc5545/series-dates";
import { lengthOf, type ReachInput } from "@/server/domain/recurrence/rfc5545/series-reach";
import type { Day } from "@/server/domain/time/day";
import { type Instant, LATEST } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";

export interface Span {
  starts: Instant;
  ends: Instant;
}

interface RecurringTimes {
  allDay: boolean;
  rrules: readonly string[];
  exrules: readonly string[];
  rdates: readonly DateText[];
  exdates: readonly DateText[];
}

/** The excluded instants, and the days that an EXDATE names whole. */
interface Excluded {
  starts: Set<Instant>;
  days: Set<Day>;
}

const DAY_MS = 86_400_000;
const DATES_A_PIECE = 100;
const daily: readonly Frequency[] = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"];

/**
 * Finds the occurrences of a series before its overrides: DTSTART, RRULE and RDATE less EXDATE and EXRULE, no two at
 * one instant (RFC 5545 §3.8.5.3), in no order, and some outside the requested range. What cannot be parsed is reported
 * as a problem and skipped.
 */
export function* startsOf(series: RecurringTimes, asked: ReachInput): Pieces<Span[]> {
  const included = new Map<Instant, Span>();
  const excluded: Excluded = { starts: new Set(), days: new Set() };
  const add = (local: LocalTime, lasts: PeriodEnd | null) => {
    const starts = instantOn(asked.clock, local);
    if (lasts || !included.has(starts)) included.set(starts, spanOf({ local, starts }, lasts ?? asked, asked));
  };
  if (Number.isFinite(asked.start)) {
    add(asked.start, null);
    for (const date of readDates("rdates", series, asked)) {
      if (date === null) yield;
      else if (mayReach(date.local, date.lasts, asked)) add(date.local, date.lasts);
    }
    // COUNT does not count an excluded DTSTART: the client wrote it outside the rule, and took it out again.
    let isStartOut = false;
    for (const date of readDates("exdates", series, asked)) {
      if (date === null) yield;
      else exclude(excluded, date, asked);
      isStartOut ||= date !== null && isStart(date, asked);
    }
    yield* expandRules(
      series,
      { ...asked, startCounts: !isStartOut },
      {
        rrules: (local) => add(local, null),
        exrules: (local) => exclude(excluded, { local }, asked),
      },
    );
  }
  const left: Span[] = [];
  let looked = 0;
  for (const span of included.values()) {
    if (++looked % DATES_A_PIECE === 0) yield;
    if (!isExcluded(excluded, span, asked)) left.push(span);
  }
  return left;
}

/** Parses dates. Yields null now and then, which is no date. */
function* readDates(
  name: "rdates" | "exdates",
  series: RecurringTimes,
  asked: ReachInput,
): Generator<SeriesDate | null> {
  let read = 0;
  for (const [i, { text, zone }] of series[name].entries()) {
    for (const item of text.split(",")) {
      if (!spend(asked.budget)) return;
      if (++read % DATES_A_PIECE === 0) yield null;
      const date = item.trim() === "" ? undefined : seriesDate(item, zone, asked);
      if (date === null) asked.problems.add(`${name}[${i}]: not a date`);
      else if (date) yield date;
    }
  }
}

/** Reports whether a start, in the window or before it, may be one that was requested. */
function mayReach(local: LocalTime, lasts: PeriodEnd | null, { from, to, isNear }: ReachInput): boolean {
  if (local > to || !isNear(local)) return false;
  if (!lasts) return local >= from;
  return ("ends" in lasts ? lasts.ends : local + lengthOf(lasts.duration)) >= from;
}

function exclude(
  { starts, days }: Excluded,
  date: Pick<SeriesDate, "local"> & Partial<SeriesDate>,
  asked: ReachInput,
): void {
  if (date.wholeDay != null) days.add(date.wholeDay);
  else if (asked.isNear(date.local)) starts.add(instantOn(asked.clock, date.local));
}

function isStart({ local, wholeDay }: SeriesDate, { start }: ReachInput): boolean {
  return local === start || wholeDay === dayOf(start as number as Instant);
}

function isExcluded({ starts, days }: Excluded, span: Span, { clock }: ReachInput): boolean {
  if (starts.has(span.starts)) return true;
  return days.size > 0 && days.has(dayOf(localOn(clock, span.starts) as number as Instant));
}

function spanOf(
  { local, starts }: { local: LocalTime; starts: Instant },
  lasts: PeriodEnd | { duration: Duration },
  { clock, isNear }: ReachInput,
): Span {
  const instant = (time: LocalTime) => (isNear(time) ? instantOn(clock, time) : (time as number as Instant));
  if ("ends" in lasts) return { starts, ends: endingBy(starts, instant(lasts.ends)) };
  const { days, exact } = lasts.duration;
  const day = days === 0 ? starts : instant((local + days * DAY_MS) as LocalTime);
  return { starts, ends: endingBy(starts, day + exact) };
}

function endingBy(starts: Instant, ends: number): Instant {
  return Math.max(starts, Math.min(ends, LATEST)) as Instant;
}

type Taker = (local: LocalTime) => void;

function* expandRules(
  series: RecurringTimes,
  asked: ReachInput & { startCounts: boolean },
  take: { rrules: Taker; exrules: Taker },
): Pieces<void> {
  const rules = [...readRules("exrules", series, asked), ...readRules("rrules", series, asked)];
  for (const [i, { rule, name }] of rules.entries()) {
    const share: Budget = { steps: Math.floor(asked.budget.steps / (rules.length - i)) };
    asked.budget.steps -= share.steps;
    let taken = 0;
    for (const local of expandRrule(rule, { ...asked, startCounts: asked.startCounts && name === "rrules" }, share)) {
      if (local !== null) take[name](local);
      if (local === null || ++taken % DATES_A_PIECE === 0) yield;
    }
    yield;
    asked.budget.steps += share.steps;
    if (share.exhausted) asked.budget.exhausted = true;
  }
}

function readRules(name: "rrules" | "exrules", series: RecurringTimes, { problems }: ReachInput) {
  return series[name].flatMap((text, i) => {
    const rule = readRrule(text);
    const problem = "problem" in rule ? rule.problem : series.allDay && !daily.includes(rule.freq) ? "FREQ" : null;
    if (problem !== null) problems.add(`${name}[${i}]: ${problem}`);
    return "problem" in rule || problem !== null ? [] : [{ name, rule }];
  });
}
