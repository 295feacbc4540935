import { describe, expect, it } from "vitest";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { applyLocalExceptions } from "@/server/domain/merge/apply-local-exceptions";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import { whole } from "@/server/domain/pieces";
import type { Budget } from "@/server/domain/recurrence/rfc5545/budget";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { type Day, formatDay } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { mergeResource } from "@/server/providers/caldav/icalendar/write/write-resource";
import { at, day, rule } from "@/tests/unit/recurrence/given";
import { namedZone } from "@/tests/unit/time/named-zone";
import { lines, NOW, owner, read, single, vevent, written } from "./given-state";

const MINUTE_MS = 60_000;
const RENAMED = "2026-11-27";
/** The renamed day, as a series that changes from it on names it. */
const RANGE_DAY = "20261127T090000";
const daily: RuleSeries = { rules: [], rule: rule("daily count=30"), skipped: ["2026-11-29"], changed: [] };
const series = single({ ruleSeries: daily });
const berlin = (name: string, text: string) => `${name};TZID=Europe/Berlin:${text}`;

const saying = (state: EventState, changed: RuleSeries["changed"]): EventState =>
  state.ruleSeries ? { ...state, ruleSeries: { ...state.ruleSeries, changed } } : state;
const renaming = (state: EventState) =>
  saying(state, [{ day: RENAMED, span: null, texts: { summary: "Renamed day" } }]);
const lasting = ({ span, ...state }: EventState, minutes: number): EventState => ({
  ...state,
  span: { ...span, ends: (span.starts + minutes * MINUTE_MS) as Instant },
});
const everySecondDay = (ics: string) => ics.replace("RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY;INTERVAL=2");

/** What is there when application and others both knew `base`, and neither has heard of the other since; `agreed` left out: as it was. */
function merged(
  base: EventState,
  ours: EventState,
  existing: string,
  touched: string[] | null = changedFieldsOf(base, ours),
) {
  const asked = { uid: "evt-1@almanac", owner, removedGuests: [], notify: true, now: NOW };
  return read(mergeResource({ ...asked, existing, state: ours, base: base.ruleSeries, changedFields: touched }).ics);
}

/** Day, start (UTC), minutes and name of each occurrence. */
function shown(state: EventState): string[] {
  const { icalRecurrence } = state;
  if (!icalRecurrence) throw new Error("it does not repeat");
  const window = { from: at("2026-11-01T00:00:00Z"), to: at("2027-06-01T00:00:00Z") };
  const zone = icalRecurrence.tzid === null ? null : namedZone(icalRecurrence.tzid);
  return expandIcal({ ...icalRecurrence, zone }, window, { steps: 10_000 }).occurrences.map((one) => {
    const name = one.override?.fields.summary ?? state.summary;
    return `${formatDay(one.day)} ${formatInstant(one.starts).slice(5, 16)} ${(one.ends - one.starts) / MINUTE_MS} ${name}`;
  });
}

const ofDay = (state: EventState, text: string) => shown(state).filter((one) => one.startsWith(text));

const sides = [
  { ours: false, theirs: false },
  { ours: false, theirs: true },
  { ours: true, theirs: false },
  { ours: true, theirs: true },
];
const rules = [
  { rule: "the rule that both know", others: (ics: string) => ics },
  { rule: "another rule of others", others: everySecondDay },
];

it.each([
  ["others wrote", false],
  ["the application wrote", true],
])("an occurrence that %s, and both sides know, stays whose it is when the series changes", (_, isOurs) => {
  const base = renaming(series);
  const id = berlin("RECURRENCE-ID", RANGE_DAY);
  const theirs = vevent(id, berlin("DTSTART", RANGE_DAY), berlin("DTEND", "20261127T100000"), "SUMMARY:Renamed day");
  const existing = isOurs
    ? written(base)
    : written(series).replace("END:VCALENDAR", `${theirs.replace("UID:a", "UID:evt-1@almanac")}\r\nEND:VCALENDAR`);
  const asked = { uid: "evt-1@almanac", owner, removedGuests: [], notify: true, now: NOW };
  const ours = { ...base, location: "Here" };
  const changedFields = changedFieldsOf(base, ours);
  const { ics } = mergeResource({ ...asked, existing, state: ours, base: base.ruleSeries, changedFields });
  expect(ofDay(read(ics), RENAMED)).toEqual([`${RENAMED} 11-27T08:00 60 Renamed day`]);
  expect(ics.includes("X-ALMANAC-CHANGED")).toBe(isOurs);
});

describe("a day that the application renames", () => {
  it.each(rules.flatMap((of) => sides.map((byLength) => ({ ...of, byLength }))))(
    "lasts as long as all, by $rule, the length changed by $byLength",
    ({ others, byLength }) => {
      const ours = renaming(byLength.ours ? lasting(series, 90) : series);
      const there = others(written(byLength.theirs ? lasting(series, 120) : series));
      const now = merged(series, ours, there);
      const minutes = byLength.ours ? 90 : byLength.theirs ? 120 : 60;
      expect(ofDay(now, RENAMED)).toEqual([`${RENAMED} 11-27T08:00 ${minutes} Renamed day`]);
      expect(ofDay(now, "2026-11-25")).toEqual([`2026-11-25 11-25T08:00 ${minutes} Planning`]);
    },
  );

  const ranges: [string, { start: string; end: string; of25: string; of27: string }][] = [
    ["two hours", { start: "20261125T110000", end: "20261125T113000", of25: "11-25T10:00 30", of27: "11-27T10:00 30" }],
    ["ten days", { start: "20261205T090000", end: "20261205T100000", of25: "12-05T08:00 60", of27: "12-07T08:00 60" }],
  ];
  it.each(ranges.flatMap(([by, range]) => rules.flatMap((of) => sides.map((side) => ({ by, ...of, side, ...range })))))(
    "is when others have it, who move all from the 25th by $by (ours: $side.ours, theirs: $side.theirs), by $rule",
    ({ others, side, start, end, of25, of27 }) => {
      const id = berlin("RECURRENCE-ID;RANGE=THISANDFUTURE", "20261125T090000");
      const range = vevent(id, berlin("DTSTART", start), berlin("DTEND", end), "SUMMARY:Later", "DESCRIPTION:Bring it");
      const before = others(written(series));
      const there = side.theirs
        ? before.replace("END:VCALENDAR", `${range.replace("UID:a", "UID:evt-1@almanac")}\r\nEND:VCALENDAR`)
        : before;
      const now = merged(series, side.ours ? renaming(series) : { ...series, location: "Here" }, there);
      const usual = side.theirs ? "Later" : "Planning";
      expect(ofDay(now, "2026-11-25")).toEqual([`2026-11-25 ${side.theirs ? of25 : "11-25T08:00 60"} ${usual}`]);
      const name = side.ours ? "Renamed day" : usual;
      expect(ofDay(now, RENAMED)).toEqual([`${RENAMED} ${side.theirs ? of27 : "11-27T08:00 60"} ${name}`]);
      const own = now.icalRecurrence?.overrides.find(({ following, fields }) => !following && fields.summary === name);
      expect(own?.fields.description).toBe(side.ours && side.theirs ? "Bring it" : undefined);
    },
  );

  it("is the others' where they move all from that very day on", () => {
    const id = berlin("RECURRENCE-ID;RANGE=THISANDFUTURE", RANGE_DAY);
    const range = vevent(id, berlin("DTSTART", "20261127T110000"), berlin("DTEND", "20261127T113000"), "SUMMARY:Later");
    const there = everySecondDay(written(series)).replace(
      "END:VCALENDAR",
      `${range.replace("UID:a", "UID:evt-1@almanac")}\r\nEND:VCALENDAR`,
    );
    expect(ofDay(merged(series, renaming(series), there), RENAMED)).toEqual([`${RENAMED} 11-27T10:00 30 Later`]);
  });

  it("is none where others have ended the series before it", () => {
    const end = vevent(
      berlin("RECURRENCE-ID;RANGE=THISANDFUTURE", "20261125T090000"),
      ...[berlin("DTSTART", "20261125T090000"), "STATUS:CANCELLED"],
    ).replace("UID:a", "UID:evt-1@almanac");
    const there = written(series).replace("END:VCALENDAR", `${end}\r\nEND:VCALENDAR`);
    expect(shown(merged(series, renaming(series), there)).map((one) => one.slice(0, 10))).toEqual([
      "2026-11-23",
      "2026-11-24",
    ]);
  });
});

describe("a changed time of the other kind", () => {
  const wholeDay = (text: string) => ({
    ...{ starts: at(`${text}T00:00:00Z`), ends: (at(`${text}T00:00:00Z`) + 1440 * MINUTE_MS) as Instant },
    allDay: true,
  });
  const allDay = { ...series, tzid: null, span: wholeDay("2026-11-23") };
  const moved = (texts: RuleSeries["changed"][number]["texts"]) => [
    { day: "2026-11-25", span: wholeDay("2026-11-26"), texts },
  ];
  const timed = written(series);

  it.each(rules)(
    "that the application gave a day is none when others make the series timed, by $rule",
    ({ others }) => {
      const of25 = (now: EventState) => ofDay(now, "2026-11-25");
      const renamed = { summary: "Renamed day" };
      const at9 = "2026-11-25 11-25T08:00 60";
      expect(of25(merged(allDay, saying(allDay, moved({})), others(timed)))).toEqual([`${at9} Planning`]);
      expect(of25(merged(allDay, saying(allDay, moved(renamed)), others(timed)))).toEqual([`${at9} Renamed day`]);
      // What others say of a day of which nothing of ours is left.
      const without = timed.replace("RRULE:FREQ=DAILY", `${berlin("EXDATE", "20261125T090000")}\r\nRRULE:FREQ=DAILY`);
      expect(of25(merged(allDay, saying(allDay, moved({})), others(without)))).toEqual([]);
      expect(
        shown(merged(allDay, saying(allDay, moved({})), others(timed))).filter((one) => !/T08:00 60/.test(one)),
      ).toEqual([]);
    },
  );

  it("that the application gave a day is none when others make the series one of whole days", () => {
    const span = { starts: at("2026-11-26T14:00:00Z"), ends: at("2026-11-26T15:00:00Z"), allDay: false };
    const ours = saying(series, [{ day: "2026-11-25", span, texts: {} }]);
    expect(ofDay(merged(series, ours, written(allDay)), "2026-11-25")).toEqual([
      "2026-11-25 11-25T00:00 1440 Planning",
    ]);
  });

  it.each([["touched", ["when"]] as const, ["unknown", null] as const])(
    "that others gave a day of their timed series is none in ours of whole days (%s)",
    (_, touched) => {
      const span = { starts: at("2026-11-26T14:00:00Z"), ends: at("2026-11-26T15:00:00Z"), allDay: false };
      const there = written(saying(series, [{ day: "2026-11-25", span, texts: { summary: "Theirs" } }]));
      const now = merged(allDay, allDay, there, touched && [...touched]);
      expect(ofDay(now, "2026-11-25")).toEqual(["2026-11-25 11-25T00:00 1440 Theirs"]);
    },
  );
});

describe("a day that the application skipped, of a series that others give a second time of day,", () => {
  const twice = (ics: string) => ics.replace("COUNT=30", "COUNT=30;BYHOUR=9,17");
  const cancelled = (id: string) => (ics: string) => {
    const gone = vevent(berlin("RECURRENCE-ID", id), "STATUS:CANCELLED").replace("UID:a", "UID:evt-1@almanac");
    return ics.replace(/EXDATE[^\r]*\r\n/, "").replace("END:VCALENDAR", `${gone}\r\nEND:VCALENDAR`);
  };
  const at17 = ["2026-11-29 11-29T16:00 60 Renamed"];

  it.each<[string, (ics: string) => string, string[]]>([
    ["has the second one where an EXDATE takes out the first", (ics) => ics, at17],
    ["has the second one where the first is cancelled", cancelled("20261129T090000"), at17],
    ["is out where an EXDATE names neither", (ics) => ics.replace("20261129T090000", "20261129T100000"), []],
    ["is out where what is cancelled is neither", cancelled("20261129T100000"), []],
  ])("%s", (_, others, expected) => {
    const there = others(twice(written(series)));
    expect(ofDay(merged(series, { ...series, summary: "Renamed" }, there), "2026-11-29")).toEqual(expected);
  });
});

describe("many days that the application skipped", () => {
  const first = day("2026-11-23");
  const skipped = Array.from({ length: 730 }, (_, i) => formatDay((first + 2 * i + 1) as Day));
  const base = single({ ruleSeries: { rules: [], rule: rule("daily count=2000"), skipped, changed: [] } });
  const twice = (ics: string) => ics.replace("COUNT=2000", "COUNT=2000;BYHOUR=9,17");

  it.each([
    ["named as they are", (ics: string) => ics],
    ["left behind at a time that the series has no more", (ics: string) => ics.replace(/(DTSTART[^\r]*T)09/, "$110")],
  ])("cost one look at the series of others, %s", (_, others) => {
    const there = read(others(twice(written(base))));
    if (!there.icalRecurrence) throw new Error("it does not repeat");
    const budget: Budget = { steps: 50_000 };
    const now = whole(
      applyLocalExceptions(there.icalRecurrence, base, { remote: there, isLocal: new Set(["summary"]), budget }),
    );
    const spent = 50_000 - budget.steps;
    expect(spent).toBeGreaterThan(1_000);
    expect(spent).toBeLessThan(5_000);
    expect(budget.exhausted).toBe(undefined);
    const out = new Set(now.exdates.map(({ text }) => text.slice(0, 8)));
    expect(skipped.filter((text) => !out.has(text.replaceAll("-", "")))).toEqual([]);
  });

  it("stay as the resource names them where the series is too much to look at", () => {
    const there = read(written(base));
    if (!there.icalRecurrence) throw new Error("it does not repeat");
    const isOurs = new Set(skipped.slice(-1));
    const now = whole(
      applyLocalExceptions(there.icalRecurrence, base, { remote: there, isLocal: isOurs, budget: { steps: 100 } }),
    );
    expect(now.exdates.map(({ text }) => text).sort()).toEqual(
      there.icalRecurrence.exdates.map(({ text }) => text).sort(),
    );
  });

  it("are in what is written, each once", () => {
    const ics = twice(written(base));
    const { icalRecurrence } = merged(base, { ...base, summary: "Renamed" }, ics);
    expect(icalRecurrence?.exdates).toHaveLength(730);
    expect(lines(ics)).toContain("RRULE:FREQ=DAILY;COUNT=2000;BYHOUR=9,17");
  });
});
