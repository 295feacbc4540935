import fc from "fast-check";
import type { ModelEvent, ModelQuery } from "./read-model";

/** Dates at which the clocks of some zone below change, and one at which none do. */
const anchors = ["2025-09-07", "2025-10-26", "2025-11-21", "2026-02-15", "2026-03-08", "2026-03-29", "2026-04-05"];
const zones = [
  "Etc/UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Santiago",
  "Asia/Beirut",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Africa/Casablanca",
  "Asia/Kathmandu",
  "America/St_Johns",
  "America/Havana",
];

const HALF_HOUR = 1800;
const DAY = 86_400;
const DAY_MS = DAY * 1000;
const BACK_DAYS = 42;
const AHEAD_DAYS = 201;

/** So that lengths stand on both sides of what the statements treat apart: 24 hours, 4, 16, 64 and 256 days. */
const lengths = [
  0,
  1,
  HALF_HOUR,
  DAY - 1,
  DAY,
  DAY + 1,
  2 * DAY,
  4 * DAY - 1,
  4 * DAY,
  16 * DAY,
  20 * DAY,
  64 * DAY,
  256 * DAY,
];
const longest = [300 * DAY, 900 * DAY];
const changes = ["2025-08-01T00:00:00.000001Z", "2025-08-01T00:00:00.000002Z", "2025-08-02T10:00:00Z"];

export interface ReadCase {
  now: number;
  calendars: string[];
  events: ModelEvent[];
  queries: ModelQuery[];
}

/** Events in three calendars, and queries, around one moment: it lies where reads begin, where they end, or between. */
export function readCase(sizes: { events: fc.ArrayConstraints; queries: number }): fc.Arbitrary<ReadCase> {
  const calendars = ["cal_0", "cal_1", "cal_2"];
  const place = fc.record({
    anchor: fc.constantFrom(...anchors).map((text) => Date.parse(text)),
    now: fc.constantFrom(0, 0, BACK_DAYS, -AHEAD_DAYS, 30),
    minutes: fc.integer({ min: 0, max: 1440 }),
  });
  return place.chain(({ anchor, now, minutes }) =>
    fc.record({
      now: fc.constant(anchor + now * DAY_MS + minutes * 60_000),
      calendars: fc.constant(calendars),
      events: fc
        .array(fc.oneof(timed(anchor), timed(anchor), allDay(anchor)).chain(described(calendars)), sizes.events)
        .map((events) => events.map(numbered)),
      queries: fc.array(query(anchor, calendars), { minLength: sizes.queries, maxLength: sizes.queries }),
    }),
  );
}

/** The same with ids that nothing else in the database has; the order of the uids stays. */
export function withTag(given: ReadCase, tag: string): ReadCase {
  const tagged = (id: string) => `${id}${tag}`;
  return {
    now: given.now,
    calendars: given.calendars.map(tagged),
    events: given.events.map((event) => ({ ...event, uid: tagged(event.uid), calendarId: tagged(event.calendarId) })),
    queries: given.queries.map((query) => ({ ...query, calendar_ids: query.calendar_ids?.map(tagged) })),
  };
}

interface Span {
  start: string;
  end: string;
}

function instantNear(anchor: number): fc.Arbitrary<number> {
  const steps = fc.integer({ min: -150, max: 150 });
  const nudge = fc.constantFrom(0, 0, 0, -1, 1);
  return fc.tuple(steps, nudge).map(([step, by]) => anchor / 1000 + step * HALF_HOUR + by);
}

function dayNear(anchor: number): fc.Arbitrary<number> {
  return fc.integer({ min: -5, max: 5 }).map((days) => anchor / 1000 + days * DAY);
}

/** Long ones begin before the moment, so that they reach over it. */
function timed(anchor: number): fc.Arbitrary<Span> {
  const length = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...lengths) }, fc.constantFrom(...longest));
  return fc.tuple(instantNear(anchor), length, fc.boolean()).map(([at, seconds, isEnd]) => {
    const start = isEnd ? at - seconds : at;
    return { start: time(start), end: time(start + seconds) };
  });
}

function allDay(anchor: number): fc.Arbitrary<Span> {
  const length = fc.constantFrom(0, 1, 1, 1, 2, 3, 4, 5, 16, 40, 300).map((days) => days * DAY);
  return fc.tuple(dayNear(anchor), length, fc.boolean()).map(([at, seconds, isEnd]) => {
    const start = isEnd ? at - seconds : at;
    return { start: time(start).slice(0, 10), end: time(start + seconds).slice(0, 10) };
  });
}

function described(calendars: string[]) {
  return (span: Span): fc.Arbitrary<ModelEvent> =>
    fc.record({
      start: fc.constant(span.start),
      end: fc.constant(span.end),
      uid: fc.integer({ min: 0, max: 0xffff }).map((n) => `evt_${n.toString(16).padStart(4, "0")}`),
      calendarId: fc.constantFrom(...calendars),
      eventId: fc.constantFrom(null, null, "own"),
      state: fc.constantFrom("live", "live", "live", "declined", "deleted"),
      updated: fc.constantFrom(...changes),
    });
}

function numbered(event: ModelEvent, index: number): ModelEvent {
  const number = index.toString(16).padStart(4, "0");
  return { ...event, uid: `${event.uid}${number}`, eventId: event.eventId && `own-${number}` };
}

function query(anchor: number, calendars: string[]): fc.Arbitrary<ModelQuery> {
  const bound = fc.option(
    fc.oneof(
      instantNear(anchor).map(time),
      dayNear(anchor).map((at) => time(at).slice(0, 10)),
    ),
    { nil: undefined },
  );
  const flag = fc.constantFrom(undefined, false, true);
  const asked = fc.subarray([...calendars, "cal_unknown"], { minLength: 1 });
  return fc.oneof(
    fc.record({
      endpoint: fc.constant("events" as const),
      tzid: fc.constantFrom(...zones),
      from: bound,
      to: bound,
      calendar_ids: fc.option(asked, { nil: undefined }),
      include_managed: flag,
      only_managed: flag,
      include_deleted: flag,
      last_modified: fc.constantFrom(undefined, undefined, ...changes),
    }),
    fc.record({
      endpoint: fc.constant("free_busy" as const),
      tzid: fc.constantFrom(...zones),
      from: bound,
      to: bound,
      calendar_ids: fc.option(asked, { nil: undefined }),
      include_managed: flag,
    }),
  );
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
