import { type Pieces, whole } from "@/server/domain/pieces";
import type { Budget } from "@/server/domain/recurrence/rfc5545/budget";
import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import { instantOn, localOn, midnightOf, type SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { DateText } from "@/server/domain/recurrence/rfc5545/series-dates";
import { askedOf, type ReachInput } from "@/server/domain/recurrence/rfc5545/series-reach";
import { type Span, startsOf } from "@/server/domain/recurrence/rfc5545/starts-of-series";
import type { Day } from "@/server/domain/time/day";
import { type Instant, LATEST } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { dayOf } from "@/server/domain/time/utc-day";
import type { Zone } from "@/server/domain/time/zone";
import type { Window } from "@/server/domain/window";

/** One occurrence with content of its own: an event with RECURRENCE-ID. */
export interface IcalOverride<Fields = unknown> {
  /** The original start on the series' clock (`readRecurrenceId`). */
  recurrenceId: LocalTime;
  /** Where it lies now. UTC midnights if it lasts whole days. */
  starts: Instant;
  ends: Instant;
  /** Whether it lasts whole days. Omitted: as its series. */
  allDay?: boolean;
  cancelled?: boolean;
  /** RANGE=THISANDFUTURE: it applies to all that follow, until the next such override. */
  following?: boolean;
  fields: Fields;
}

/** A series as a provider returns it (RFC 5545 §3.8.5). Property values are text, without the property's name. */
export interface IcalRecurrence<Fields = unknown> {
  allDay: boolean;
  /** DTSTART on the clock of `zone`. All-day: its midnight. */
  start: LocalTime;
  /** Null: all-day, or times to be read as UTC. */
  zone: Zone | null;
  /** DTEND less DTSTART is `exact`, or `days` if all-day. DURATION is kept as written. */
  duration: Duration;
  rrules: readonly string[];
  exrules: readonly string[];
  rdates: readonly DateText[];
  exdates: readonly DateText[];
  overrides: readonly IcalOverride<Fields>[];
}

export interface IcalOccurrence<Fields = unknown> extends Span {
  /** The date of `recurrenceId`: occurrence_date. */
  day: Day;
  /**
   * Its original start as the series' clock shows it, after the shift if in a gap: what distinguishes it from the
   * others.
   */
  recurrenceId: LocalTime;
  override: IcalOverride<Fields> | null;
}

export interface IcalExpansion<Fields = unknown> {
  /** By start, then recurrenceId. */
  occurrences: IcalOccurrence<Fields>[];
  /** Whether the budget ended before the work did: some occurrences (or what EXRULE excludes) are then missing. */
  exhausted: boolean;
  /** What could not be parsed and was ignored: `rrules[0]: BYDAY`. Never the provider's text. */
  problems: string[];
}

/**
 * Finds the occurrences of a provider's series that overlap a window (one without length, where it starts). All-day
 * ones are UTC midnights: the caller widens the window for the zones it reads in. Never throws.
 *
 * DTSTART is always the first occurrence and the first that COUNT counts, even if no rule meets it (RFC 5545 §3.8.5.3:
 * it "defines the first instance"). All RRULEs and RDATEs are united; what EXDATE or EXRULE names is excluded, but
 * still counted. An override with THISANDFUTURE moves those that follow by as much on the series' clock and gives them
 * its length and fields (RFC 5545 §3.2.13, §3.8.4.4). An override replaces the occurrence with its recurrenceId, and is
 * an occurrence even if there is no such one, or an EXDATE names it: a meeting that the provider sent is not lost.
 * Starts in a gap shift forward and count; those that then start at one instant are one occurrence.
 * @param budget shared by the rules in equal parts, so that one of them cannot starve the rest; spent here
 */
export function expandIcal<Fields>(
  series: IcalRecurrence<Fields>,
  window: Window,
  budget: Budget,
): IcalExpansion<Fields> {
  return whole(expandIcalInPieces(series, window, budget));
}

/** Finds what `expandIcal` finds, in pieces. */
export function* expandIcalInPieces<Fields>(
  series: IcalRecurrence<Fields>,
  window: Window,
  budget: Budget,
): Pieces<IcalExpansion<Fields>> {
  const { ranges, reach } = rangesOf(series);
  const asked = askedOf(series, { from: (window.from - reach) as Instant, to: (window.to + reach) as Instant }, budget);
  const replacing = yield* overridesByStart(series, asked);
  const occurrences: IcalOccurrence<Fields>[] = [];
  let looked = 0;
  for (const usual of yield* startsOf(series, asked)) {
    if (++looked % STARTS_A_PIECE === 0) yield;
    if (replacing.has(usual.starts)) continue;
    const recurrenceId = localOn(asked.clock, usual.starts);
    const range = rangeAt(ranges, recurrenceId);
    if (range?.override.cancelled) continue;
    const span = range ? moved(recurrenceId, range, asked.clock) : usual;
    if (overlaps(window, span)) occurrences.push(occurrence(recurrenceId, span, range?.override ?? null));
  }
  for (const { recurrenceId, span, override } of replacing.values()) {
    if (!override.cancelled && overlaps(window, span)) occurrences.push(occurrence(recurrenceId, span, override));
  }
  occurrences.sort((a, b) => a.starts - b.starts || a.recurrenceId - b.recurrenceId);
  return { occurrences, exhausted: budget.exhausted ?? false, problems: [...asked.problems] };
}

const STARTS_A_PIECE = 200;

interface Range<Fields> {
  /** On the series' clock. */
  from: LocalTime;
  override: IcalOverride<Fields>;
  /** Milliseconds on the series' clock. Positive: later. */
  by: number;
  lasts: number;
}

// Occurrences moved further are not searched for.
const FARTHEST_MS = 5 * 366 * 86_400_000;

/**
 * Lists from when on occurrences are moved, in order, and how far outside the window one that is moved into it may
 * begin.
 */
function rangesOf<Fields>({ overrides, allDay, zone }: IcalRecurrence<Fields>) {
  const ranges = overrides
    .filter(
      ({ following, recurrenceId, starts, ends }) => following && [recurrenceId, starts, ends].every(Number.isFinite),
    )
    .map((override): Range<Fields> => {
      const { recurrenceId, starts, ends } = override;
      const from = allDay ? midnightOf(recurrenceId) : recurrenceId;
      return { from, override, by: localOn({ allDay, zone }, starts) - from, lasts: Math.max(0, ends - starts) };
    })
    .sort((one, other) => one.from - other.from);
  const reach = ranges.reduce((most, { by, lasts }) => Math.max(most, Math.abs(by) + lasts), 0);
  return { ranges, reach: Math.min(reach, FARTHEST_MS) };
}

/** Finds the last range that begins by then. */
function rangeAt<Fields>(ranges: readonly Range<Fields>[], at: LocalTime): Range<Fields> | undefined {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.from ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return ranges[low - 1];
}

function moved<Fields>(recurrenceId: LocalTime, { by, lasts }: Range<Fields>, clock: SeriesClock): Span {
  const starts = instantOn(clock, (recurrenceId + by) as LocalTime);
  return { starts, ends: Math.min(starts + lasts, LATEST) as Instant };
}

interface Replacing<Fields> {
  recurrenceId: LocalTime;
  span: Span;
  override: IcalOverride<Fields>;
}

/** Indexes overrides by the instant of the original start. The last of several with the same one wins. */
function* overridesByStart<Fields>(
  { overrides, allDay }: IcalRecurrence<Fields>,
  { clock, isNear, problems }: ReachInput,
): Pieces<Map<Instant, Replacing<Fields>>> {
  const found = new Map<Instant, Replacing<Fields>>();
  for (const [i, override] of overrides.entries()) {
    if (i % STARTS_A_PIECE === STARTS_A_PIECE - 1) yield;
    const { recurrenceId, starts, ends } = override;
    if (![recurrenceId, starts, ends].every(Number.isFinite)) {
      problems.add(`overrides[${i}]: not a time`);
      continue;
    }
    if (ends < starts) problems.add(`overrides[${i}]: ends before it starts`);
    const span = { starts, ends: Math.max(starts, ends) as Instant };
    const id = allDay ? midnightOf(recurrenceId) : recurrenceId;
    const original = isNear(id) ? instantOn(clock, id) : (id as number as Instant);
    const shown = isNear(id) && !allDay ? localOn(clock, original) : id;
    found.set(original, { recurrenceId: shown, span, override });
  }
  return found;
}

function occurrence<Fields>(
  recurrenceId: LocalTime,
  { starts, ends }: Span,
  override: IcalOverride<Fields> | null,
): IcalOccurrence<Fields> {
  return { day: dayOf(recurrenceId as number as Instant), recurrenceId, starts, ends, override };
}

function overlaps({ from, to }: Window, { starts, ends }: Span): boolean {
  return starts < to && (ends > from || starts >= from);
}
