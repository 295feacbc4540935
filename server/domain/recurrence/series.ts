import { isRuleDay, ruleDays } from "@/server/domain/recurrence/days";
import type { Exceptions, OccurrenceTexts } from "@/server/domain/recurrence/exceptions";
import type { Rule } from "@/server/domain/recurrence/rule";
import { type FirstOccurrence, occurrenceSpan, occurrenceSpans, type Span } from "@/server/domain/recurrence/spans";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";

/** A series as the application wrote it. Its first occurrence fits the rule. */
export interface Series extends FirstOccurrence, Exceptions {
  rule: Rule;
}

/**
 * One occurrence. `day` is its original one ("Event": occurrence_date); `changes` is null if it only repeats the
 * series.
 */
export interface Occurrence extends Span {
  day: Day;
  allDay: boolean;
  changes: OccurrenceTexts | null;
}

/** Instants from `from` to before `to`. */
export interface InstantRange {
  from: Instant;
  to: Instant;
}

/**
 * More overlapping occurrences of one series than this are cut to the latest: only an error of the caller's could need
 * them.
 */
export const MOST_OCCURRENCES = 5_000;
// No date line puts a local date further from UTC's, and no gap moves an occurrence further.
const MARGIN_DAYS = 2;

/**
 * Finds the occurrences of a series that overlap a range, in the order of their original days; one without length
 * counts where it starts. All-day ones are UTC midnights: the caller widens the range for the zones it reads in. A
 * changed time counts where it lies now, wherever the original day is.
 */
export function seriesOccurrences(series: Series, range: InstantRange): Occurrence[] {
  const { rule, first, firstDay, skipped, changed } = series;
  const days = ruleDays(rule, firstDay, candidateDays(series, range)).slice(-MOST_OCCURRENCES);
  const excepted = new Set([...skipped, ...changed.map(({ day }) => day)]);
  const plain = excepted.size > 0 ? days.filter((day) => !excepted.has(day)) : days;
  const found: Occurrence[] = [];
  const { allDay } = first;
  const add = (day: Day, { starts, ends }: Span, changes: OccurrenceTexts | null, isWhole = allDay) => {
    if (overlaps(range, starts, ends)) found.push({ day, starts, ends, allDay: isWhole, changes });
  };
  occurrenceSpans(series, plain).forEach((span, i) => {
    add(plain[i] ?? firstDay, span, null);
  });
  if (changed.length === 0) return found;
  for (const { day, span, texts } of changed) {
    const changes = Object.keys(texts).length > 0 ? texts : null;
    if (isRuleDay(rule, firstDay, day)) add(day, span ?? occurrenceSpan(series, day), changes, span?.allDay);
  }
  return found.sort((a, b) => a.day - b.day);
}

function candidateDays({ first }: Series, { from, to }: InstantRange) {
  const reaches = dayOf((from - (first.ends - first.starts)) as Instant);
  return { from: (reaches - MARGIN_DAYS) as Day, to: (dayOf(to) + MARGIN_DAYS + 1) as Day };
}

function overlaps({ from, to }: InstantRange, starts: Instant, ends: Instant): boolean {
  return starts < to && (ends > from || starts >= from);
}
