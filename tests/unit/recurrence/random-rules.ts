import fc from "fast-check";
import type { Rule, RuleWeekday } from "@/server/domain/recurrence/rule";
import { civil, type Day, dayFromCivil, daysInMonth, weekday } from "@/server/domain/time/day";

export const zones = [
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Asia/Gaza",
  "Africa/Casablanca",
  "America/Santiago",
  "America/New_York",
  "Pacific/Kiritimati",
  "Europe/Berlin",
  "Asia/Kolkata",
  "America/St_Johns",
  "Pacific/Auckland",
  "Etc/UTC",
];

/** A rule, a first day that fits it, and some days of its future to look at. */
export interface Sample {
  rule: Rule;
  first: Day;
  from: Day;
  to: Day;
}

const MOST_DAYS = 3_000;

/** A sample of any rule that the five fields can say; begins in the years 2012 to 2030 and is looked at within some ten years. */
export const sample: fc.Arbitrary<Sample> = fc
  .integer({ min: dayFromCivil(2012, 1, 1), max: dayFromCivil(2030, 12, 31) })
  .chain((first) => ruleFrom(first as Day).chain((rule) => sampleOf(rule, first as Day)));

function sampleOf(rule: Rule, first: Day): fc.Arbitrary<Sample> {
  const lasts = rule.until === null ? (rule.count ?? MOST_DAYS) * daysBetween(rule) : rule.until - first;
  return fc
    .record({
      later: fc.integer({ min: -20, max: Math.min(lasts, MOST_DAYS) }),
      length: fc.integer({ min: 1, max: 16 }),
    })
    .map(({ later, length }) => {
      const from = (first + later) as Day;
      return { rule, first, from, to: (from + length * Math.min(daysBetween(rule), 400)) as Day };
    });
}

/** About how many days lie between two occurrences. */
function daysBetween({ frequency, interval }: Pick<Rule, "frequency" | "interval">): number {
  return { daily: 1, weekly: 7, monthly: 30, yearly: 365 }[frequency] * interval;
}

function ruleFrom(first: Day): fc.Arbitrary<Rule> {
  const interval = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 99 }));
  return fc.tuple(fc.constantFrom(...frequenciesFrom(first)), interval).chain(([frequency, interval]) => {
    // rrule-temporal takes most of a second to count hundreds of years.
    const mostCount = Math.ceil(MOST_DAYS / daysBetween({ frequency, interval }));
    return fc
      .record({
        end: fc.oneof(
          fc.constant({ count: null, until: null }),
          fc.integer({ min: 1, max: Math.min(mostCount, 730) }).map((count) => ({ count, until: null })),
          fc.integer({ min: 0, max: MOST_DAYS }).map((days) => ({ count: null, until: (first + days) as Day })),
        ),
        byDay: frequency === "weekly" ? weekdaysWith(first) : frequency === "monthly" ? placesWith(first) : none,
      })
      .map(({ end, byDay }) => ({ frequency, interval, ...end, byDay }));
  });
}

const none = fc.constant<RuleWeekday[]>([]);

function frequenciesFrom(first: Day): Rule["frequency"][] {
  const { month, dayOfMonth } = civil(first);
  const monthly = placesOf(first).length > 0 || dayOfMonth <= 28;
  const yearly = month !== 2 || dayOfMonth !== 29;
  return ["daily", "weekly", ...(monthly ? ["monthly" as const] : []), ...(yearly ? ["yearly" as const] : [])];
}

function weekdaysWith(first: Day): fc.Arbitrary<RuleWeekday[]> {
  const named = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 5 });
  const withFirst = named.map((days) => [...days, weekday(first)].map((day) => ({ weekday: day, nth: null })));
  return fc.oneof(none, withFirst);
}

function placesWith(first: Day): fc.Arbitrary<RuleWeekday[]> {
  const own = placesOf(first);
  if (own.length === 0) return none;
  const others = fc.array(
    fc.record({ weekday: fc.integer({ min: 0, max: 6 }), nth: fc.constantFrom(1, 2, 3, 4, -1) }),
    { maxLength: 3 },
  );
  const withFirst = fc.tuple(fc.constantFrom(...own), others).map(([one, more]) => [...more, one]);
  const fourthAndLast = fc.constant(own.length === 2 ? own : own.slice(0, 1));
  const byPlace = fc.oneof({ weight: 4, arbitrary: withFirst }, { weight: 1, arbitrary: fourthAndLast });
  return civil(first).dayOfMonth <= 28 ? fc.oneof(none, byPlace) : byPlace;
}

/** How the place of a day in its month can be said: the fourth Monday may also be the last. */
function placesOf(day: Day): { weekday: number; nth: number }[] {
  const { year, month, dayOfMonth } = civil(day);
  const nth = Math.ceil(dayOfMonth / 7);
  const isLast = dayOfMonth + 7 > daysInMonth(year, month);
  const places = [...(nth <= 4 ? [nth] : []), ...(isLast ? [-1] : [])];
  return places.map((place) => ({ weekday: weekday(day), nth: place }));
}
