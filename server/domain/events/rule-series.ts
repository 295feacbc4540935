import { keptReplies } from "@/server/domain/events/day-replies";
import type { RuleSeries } from "@/server/domain/events/event-state";
import { isRuleDay } from "@/server/domain/recurrence/days";
import type { Exceptions } from "@/server/domain/recurrence/exceptions";
import type { Rule } from "@/server/domain/recurrence/rule";
import type { Series } from "@/server/domain/recurrence/series";
import { firstDayOf } from "@/server/domain/recurrence/spans";
import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";

export function storedSeries(sent: object, rule: Rule, { skipped, changed }: Exceptions): RuleSeries {
  return {
    rules: [sent],
    rule,
    skipped: skipped.map(formatDay).sort(),
    changed: changed
      .map((change) => ({ ...change, day: formatDay(change.day) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
  };
}

/** Adds to a rewritten series the earlier replies to days it still has. `removed`: guests whose replies are dropped. */
export function withRepliesOf(
  { replies }: Pick<RuleSeries, "replies">,
  series: RuleSeries,
  { first, removed = [] }: { first: Day; removed?: readonly string[] },
): RuleSeries {
  if (!replies) return series;
  const skipped = new Set(series.skipped);
  const has = (day: string) => !skipped.has(day) && isRuleDay(series.rule, first, dayOfText(day));
  return { ...series, ...keptReplies({ replies }, { has, removed }) };
}

export function exceptionsOf({ skipped, changed }: RuleSeries): Exceptions {
  return {
    skipped: skipped.map(dayOfText),
    changed: changed.map(({ day, span, texts }) => ({
      day: dayOfText(day),
      span: span && { starts: span.starts as Instant, ends: span.ends as Instant, allDay: span.allDay },
      texts,
    })),
  };
}

/** Combines a stored series with the first occurrence, which its event defines. */
export function seriesOf(
  stored: RuleSeries,
  { span, tzid }: { span: { starts: Instant; ends: Instant; allDay: boolean }; tzid: string | null },
): Series {
  const first = { starts: span.starts, ends: span.ends, allDay: span.allDay };
  const found = tzid === null ? null : zone(tzid);
  return {
    rule: stored.rule,
    first,
    zone: found,
    firstDay: firstDayOf({ first, zone: found }),
    ...exceptionsOf(stored),
  };
}

/** Parses a stored day. */
export function dayOfText(text: string): Day {
  const day = parseDay(text);
  if (day === null) throw new Error("a stored series names a day that there is not");
  return day;
}
