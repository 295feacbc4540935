import type { Budget } from "@/server/domain/recurrence/rfc5545/budget";
import type { Duration } from "@/server/domain/recurrence/rfc5545/duration";
import { instantOn, localOn, midnightOf } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { DateText } from "@/server/domain/recurrence/rfc5545/series-dates";
import { type Asked, askedOf } from "@/server/domain/recurrence/rfc5545/series-reach";
import { type Span, startsOf } from "@/server/domain/recurrence/rfc5545/starts-of-series";
import { type Day, dayOf } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import type { Zone } from "@/server/domain/time/zone";
import type { Window } from "@/server/domain/window";

/** One occurrence that says something of its own: an event with RECURRENCE-ID. */
export interface ForeignOverride<Fields = unknown> {
  /** The original start on the series' clock (`readRecurrenceId`). */
  recurrenceId: LocalTime;
  /** Where it lies now; of all-day ones UTC midnights. */
  starts: Instant;
  ends: Instant;
  cancelled?: boolean;
  fields: Fields;
}

/** A series as a provider hands it over (RFC 5545 §3.8.5). Property values come as text, without the property's name. */
export interface ForeignSeries<Fields = unknown> {
  allDay: boolean;
  /** DTSTART on the clock of `zone`; of an all-day series its midnight. */
  start: LocalTime;
  /** Null: all-day, or times that are to be read as UTC. */
  zone: Zone | null;
  /** DTEND less DTSTART is `exact`, of all-day series `days`; DURATION as it was written. */
  duration: Duration;
  rrules: readonly string[];
  exrules: readonly string[];
  rdates: readonly DateText[];
  exdates: readonly DateText[];
  overrides: readonly ForeignOverride<Fields>[];
}

export interface ForeignOccurrence<Fields = unknown> extends Span {
  /** The date of `recurrenceId`: occurrence_date. */
  day: Day;
  /** Its original start as the series' clock shows it, in a gap after the shift: what tells it from the others. */
  recurrenceId: LocalTime;
  override: ForeignOverride<Fields> | null;
}

export interface ForeignExpansion<Fields = unknown> {
  /** By start, then recurrenceId. */
  occurrences: ForeignOccurrence<Fields>[];
  /** Whether the budget ended before the work did: some occurrences (or what EXRULE takes away) are then missing. */
  exhausted: boolean;
  /** What could not be read and was left out: `rrules[0]: BYDAY`. Never the provider's text. */
  problems: string[];
}

/**
 * The occurrences of a foreign series that overlap a window, one without length where it starts. All-day ones are taken as
 * UTC midnights: the caller widens the window for the zones it reads in. Never throws.
 *
 * DTSTART is always the first occurrence and the first that COUNT counts, also where no rule meets it (RFC 5545 §3.8.5.3:
 * it "defines the first instance"). All RRULEs and RDATEs are united; what EXDATE or EXRULE names is taken away, counted
 * all the same. An override takes the place of the occurrence with its recurrenceId and is an occurrence also where there is
 * no such one, or an EXDATE names it: a meeting that the provider sent is not lost. Starts in a gap shift forward and count;
 * what then starts at one instant is one occurrence.
 * @param budget shared by the rules in equal parts, so that one of them cannot starve the rest; spent here
 */
export function expandForeign<Fields>(
  series: ForeignSeries<Fields>,
  window: Window,
  budget: Budget,
): ForeignExpansion<Fields> {
  const asked = askedOf(series, window, budget);
  const replacing = overridesByStart(series, asked);
  const occurrences: ForeignOccurrence<Fields>[] = [];
  for (const span of startsOf(series, asked)) {
    if (!replacing.has(span.starts) && overlaps(window, span)) {
      occurrences.push(occurrence(localOn(asked.clock, span.starts), span, null));
    }
  }
  for (const { recurrenceId, span, override } of replacing.values()) {
    if (!override.cancelled && overlaps(window, span)) occurrences.push(occurrence(recurrenceId, span, override));
  }
  occurrences.sort((a, b) => a.starts - b.starts || a.recurrenceId - b.recurrenceId);
  return { occurrences, exhausted: budget.exhausted ?? false, problems: [...asked.problems] };
}

interface Replacing<Fields> {
  recurrenceId: LocalTime;
  span: Span;
  override: ForeignOverride<Fields>;
}

/** By the instant of the original start; of two with the same one the last holds. */
function overridesByStart<Fields>(
  { overrides, allDay }: ForeignSeries<Fields>,
  { clock, isNear, problems }: Asked,
): Map<Instant, Replacing<Fields>> {
  const found = new Map<Instant, Replacing<Fields>>();
  overrides.forEach((override, i) => {
    const { recurrenceId, starts, ends } = override;
    if (![recurrenceId, starts, ends].every(Number.isFinite)) {
      problems.add(`overrides[${i}]: not a time`);
      return;
    }
    if (ends < starts) problems.add(`overrides[${i}]: ends before it starts`);
    const span = { starts, ends: Math.max(starts, ends) as Instant };
    const id = allDay ? midnightOf(recurrenceId) : recurrenceId;
    const original = isNear(id) ? instantOn(clock, id) : (id as number as Instant);
    const shown = isNear(id) && !allDay ? localOn(clock, original) : id;
    found.set(original, { recurrenceId: shown, span, override });
  });
  return found;
}

function occurrence<Fields>(
  recurrenceId: LocalTime,
  { starts, ends }: Span,
  override: ForeignOverride<Fields> | null,
): ForeignOccurrence<Fields> {
  return { day: dayOf(recurrenceId as number as Instant), recurrenceId, starts, ends, override };
}

function overlaps({ from, to }: Window, { starts, ends }: Span): boolean {
  return starts < to && (ends > from || starts >= from);
}
