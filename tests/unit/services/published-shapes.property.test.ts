import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Issue } from "@/server/domain/issues";
import { readRecurrence } from "@/server/domain/recurrence/read-recurrence";
import { moment, momentShape } from "@/server/services/events/moment";
import { recurrenceShape } from "@/server/services/events/recurrence-shape";

// The documentation publishes these shapes, and readers of their own say what is wrong with a body: both have to accept the same.

const RUNS = 3_000;

const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-03-${String(date).padStart(2, "0")}`);
const instant = day.map((date) => `${date}T09:30:00Z`);
const zoned = fc.record({
  time: day.map((date) => `${date}T09:30:00`),
  tzid: fc.constantFrom("Europe/Berlin", "Etc/UTC"),
});
const time = fc.oneof(day, instant, zoned);
const weekday = fc.constantFrom("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday");
const monthly = fc.record({ day: weekday, nth_of_period: fc.constantFrom(1, 2, 3, 4, -1) });
const optional = { requiredKeys: ["frequency"] as ["frequency"] };
const often = { frequency: fc.constantFrom("daily", "yearly"), interval: fc.integer({ min: 1, max: 99 }) };
const rule = fc.oneof(
  fc.record({ ...often, count: fc.integer({ min: 1, max: 730 }) }, optional),
  fc.record({ ...often, until: day }, optional),
  fc.record({
    frequency: fc.constant("weekly"),
    by_day: fc.array(fc.record({ day: weekday }), { minLength: 1, maxLength: 35 }),
  }),
  fc.record({ frequency: fc.constant("monthly"), by_day: fc.array(monthly, { minLength: 1, maxLength: 35 }) }),
);
const texts = {
  summary: fc.string(),
  description: fc.string(),
  location: fc.record({ description: fc.string() }, { requiredKeys: [] }),
};
const changed = fc.oneof(
  fc.record({ date: day, ...texts }, { requiredKeys: ["date"] }),
  day.map((date) => ({ date, start: `${date}T08:00:00Z`, end: `${date}T09:00:00Z` })),
  day.map((date) => ({ date, start: date, end: date })),
);
const dated = <Entry extends { date: string }>(entry: fc.Arbitrary<Entry>) =>
  fc.uniqueArray(entry, { selector: ({ date }) => date, maxLength: 5 });
const exceptions = fc.oneof(
  fc.record({ add: dated(day.map((date) => ({ date }))) }),
  fc.record({ change: dated(changed) }),
  fc.constant({}),
);
const recurrence = fc.oneof(
  fc.constant(null),
  fc.record({ rules: rule.map((one) => [one]), exceptions }, { requiredKeys: ["rules"] }),
);

/** A value of another kind, or one that is out of the bounds of some field. */
const wrong = fc.constantFrom<unknown>(
  null,
  true,
  0,
  1.5,
  -7,
  5,
  100,
  731,
  "",
  "every",
  [],
  [{}],
  {},
  { date: "x" },
  undefined,
  new Array(65).fill({}),
);

/** The value with `put` at one of its places, or with it inside of one. */
function spoilt(value: unknown, place: number, put: unknown): unknown {
  const [first, ...rest] = digits(place);
  if (typeof value !== "object" || value === null || first === 0 || first === undefined) return put;
  const keys = Object.keys(value);
  const key = keys[(first - 1) % Math.max(1, keys.length)] ?? "more";
  const next = rest.length === 0 ? 0 : Number(rest.join(""));
  const inside = (value as Record<string, unknown>)[key];
  if (Array.isArray(value)) return value.map((entry, i) => (String(i) === key ? spoilt(entry, next, put) : entry));
  return { ...value, [key]: spoilt(inside, next, put) };
}

const digits = (place: number) => [...String(place)].map(Number);

const places = fc.integer({ min: 0, max: 99_999 });

/** What only the reader knows: real dates and zones, and what fields mean together. */
const meanings: readonly string[] = [
  "errors.invalid",
  "errors.must_be_date",
  "errors.not_supported",
  "errors.not_supported_count_until_combination",
];

/** `raw` is the recurrence that the issue is about. A date that is no text is no matter of its meaning. */
function isOfShape({ key, path, description }: Issue, raw: unknown): boolean {
  if (key === "errors.required") return !description.endsWith("send start and end together");
  const inside = (value: unknown, step: PropertyKey) => (value as Record<PropertyKey, unknown> | null)?.[step];
  const isDate = ["until", "date"].includes(String(path.at(-1)));
  if (isDate && typeof path.slice(1).reduce(inside, raw) !== "string") return true;
  return !meanings.includes(key);
}

const readMoment = (raw: unknown) => moment.safeParse(raw);

describe("the published shape of recurrence", () => {
  it("and its reader accept every body that the documentation describes", () => {
    fc.assert(
      fc.property(recurrence, (raw) => {
        expect(readRecurrence(raw).issues).toEqual([]);
        expect(recurrenceShape.safeParse(raw).error).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it("rejects what the reader rejects, and nothing else", () => {
    let rejected = 0;
    fc.assert(
      fc.property(recurrence, places, wrong, (valid, place, put) => {
        const raw = spoilt(valid, place, put);
        if (raw === undefined) return;
        const { issues } = readRecurrence(raw);
        const { success, error } = recurrenceShape.safeParse(raw);
        const isRejected = issues.some((issue) => isOfShape(issue, raw));
        if (isRejected) rejected += 1;
        expect({ raw, accepted: success, error: error && z.prettifyError(error) }).toMatchObject({
          accepted: !isRejected,
        });
      }),
      { numRuns: RUNS },
    );
    expect(rejected).toBeGreaterThan(RUNS / 10);
  });
});

describe("the published shape of a start or end", () => {
  it("and its reader accept every time that the documentation describes", () => {
    fc.assert(
      fc.property(time, (raw) => {
        expect(readMoment(raw).error).toBeUndefined();
        expect(momentShape.safeParse(raw).error).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it("rejects what the reader rejects, and nothing else", () => {
    let rejected = 0;
    fc.assert(
      fc.property(time, places, wrong, (valid, place, put) => {
        const raw = spoilt(valid, place, put);
        const { error } = readMoment(raw);
        const keys =
          error?.issues.map((issue) => (issue.code === "custom" ? String(issue.params?.key) : issue.code)) ?? [];
        const isRejected = keys.some((key) => !meanings.includes(key));
        if (isRejected) rejected += 1;
        expect({ raw, keys, accepted: momentShape.safeParse(raw).success }).toMatchObject({ accepted: !isRejected });
      }),
      { numRuns: RUNS },
    );
    expect(rejected).toBeGreaterThan(RUNS / 10);
  });
});
