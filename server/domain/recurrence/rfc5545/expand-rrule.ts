import { type Budget, STEPS_A_PIECE, spend } from "@/server/domain/recurrence/rfc5545/budget";
import { withDaysOfStart } from "@/server/domain/recurrence/rfc5545/day-filter";
import type { Rrule } from "@/server/domain/recurrence/rfc5545/read-rrule";
import type { SeriesClock } from "@/server/domain/recurrence/rfc5545/series-clock";
import { spanningPeriods } from "@/server/domain/recurrence/rfc5545/spanning-periods";
import { isStepping, type Reach, steppingPeriods } from "@/server/domain/recurrence/rfc5545/stepping-periods";
import { timesOfPeriod } from "@/server/domain/recurrence/rfc5545/times-of-period";
import { until } from "@/server/domain/recurrence/rfc5545/until";
import type { Day } from "@/server/domain/time/day";
import type { LocalTime } from "@/server/domain/time/rfc3339";

export interface RruleSpan {
  /** DTSTART. */
  start: LocalTime;
  /** The range of interest, both inclusive. Without COUNT, what lies before it costs nothing. */
  from: LocalTime;
  to: LocalTime;
  clock: SeriesClock;
  /** Whether COUNT counts DTSTART as the first even if the rule does not meet it: in RRULE yes, in EXRULE no. */
  startCounts: boolean;
}

const DAY_MS = 86_400_000;

/**
 * Generates the times of one RRULE or EXRULE, ascending, without repetition, from DTSTART on (RFC 5545 §3.3.10).
 * DTSTART itself is included only when the rule meets it. Times are local and unresolved: one in a gap is yielded and
 * counted like any other (ADR 90), and an hourly rule steps along the clock's hours, not along elapsed ones. In an
 * all-day series (midnights) BYHOUR, BYMINUTE and BYSECOND are ignored, as the RFC says.
 *
 * When the budget ends, the times end, and `budget.exhausted` is set. A null is no time but a point where the caller
 * may let other work go first.
 */
export function* expandRrule(rule: Rrule, span: RruleSpan, budget: Budget): Generator<LocalTime | null> {
  const start = Math.floor(span.start / 1000) * 1000;
  const timed = span.clock.allDay ? { ...rule, byHour: [], byMinute: [], bySecond: [] } : rule;
  const full = withDaysOfStart(timed, Math.floor(start / DAY_MS) as Day);
  const end = until(rule.until, span.clock, span);
  const reach: Reach = {
    start,
    from: Math.max(start, rule.count === null ? span.from : start),
    to: Math.min(span.to, end.noneAfter),
  };
  let counted = 0;
  for (const time of timesFrom(full, reach, budget)) {
    if (time === null) {
      yield null;
      continue;
    }
    if (counted === 0 && time > start && span.startCounts) counted++;
    counted++;
    if (rule.count !== null && counted > rule.count) return;
    if (time >= span.from && end.admits(time)) yield time;
    else if (counted % STEPS_A_PIECE === 0) yield null;
  }
}

function* timesFrom(rule: Rrule, reach: Reach, budget: Budget): Generator<LocalTime | null> {
  const times = timesOfPeriod(rule, reach.start, budget);
  if (!times) return;
  const periods = isStepping(rule) ? steppingPeriods(rule, reach, budget) : spanningPeriods(rule, reach, budget);
  for (const days of periods) {
    if (days.length === 0) yield null;
    for (const time of times(days, reach.from)) {
      if (time > reach.to || !spend(budget)) return;
      yield time as LocalTime;
    }
  }
}
