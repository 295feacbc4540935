import { describe, expect, it } from "vitest";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import { ruleDays } from "@/server/domain/recurrence/days";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { type Day, formatDay } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { mergeResource } from "@/server/providers/caldav/icalendar/write/write-resource";
import { at, day, rule } from "@/tests/unit/recurrence/given";
import { namedZone } from "@/tests/unit/time/named-zone";
import { NOW, owner, read, single, written } from "./given-state";

/** What is written when application and others both knew `base`, and neither has heard of the other since. */
function merged(base: EventState, ours: EventState, existing: string) {
  const touched = changedFieldsOf(base, ours);
  const asked = { uid: "evt-1@almanac", owner, removedGuests: [], notify: true, now: NOW };
  return mergeResource({ ...asked, existing, state: ours, base: base.ruleSeries, changedFields: touched });
}

const sides = [
  { ours: false, theirs: false },
  { ours: false, theirs: true },
  { ours: true, theirs: false },
  { ours: true, theirs: true },
];
const named = ({ ours, theirs }: (typeof sides)[number]) =>
  ours && theirs ? "both change" : ours ? "the application changes" : theirs ? "others change" : "nobody changes";

const span = (starts: string, ends: string) => ({ starts: at(starts), ends: at(ends), allDay: false });
const fields: { [Name in keyof EventState]?: [EventState[Name], EventState[Name], EventState[Name]] } = {
  summary: ["Planning", "Ours", "Theirs"],
  description: ["What; and, why\nthen", "Ours", "Theirs"],
  location: ["Room 1", null, "Room 3"],
  url: [null, "https://ours.example/a", "https://theirs.example/b"],
  transparency: ["opaque", "transparent", "transparent"],
  span: [
    span("2026-11-23T08:00:00Z", "2026-11-23T09:00:00Z"),
    span("2026-11-24T08:00:00Z", "2026-11-24T09:00:00Z"),
    span("2026-11-23T10:00:00Z", "2026-11-23T12:00:00Z"),
  ],
  tzid: ["Europe/Berlin", "Europe/London", "America/New_York"],
};

describe.each(sides)("of a field that (ours: $ours, theirs: $theirs)", (side) => {
  it.each(Object.entries(fields))(`${named(side)}: %s`, (name, [before, our, their]) => {
    const base = single(Object.fromEntries(Object.entries(fields).map(([each, [first]]) => [each, first])));
    // The other side changes something else.
    const ours = { ...base, ...(name === "summary" ? {} : { summary: "Renamed" }), ...(side.ours && { [name]: our }) };
    const existing = written({ ...base, ...(side.theirs && { [name]: their }) });
    const { ics, tookRemote } = merged(base, ours, existing);
    const now = read(ics);
    expect(now[name as keyof EventState]).toEqual(side.ours ? our : side.theirs ? their : before);
    expect(tookRemote).toBe(side.theirs && !side.ours && name !== "tzid");
    expect(now).toMatchObject(name === "summary" ? {} : { summary: "Renamed" });
  });
});

it("a single event that the application renames, with its times in UTC, is when others have moved it", () => {
  const base = single();
  const ours = { ...base, summary: "Renamed", tzid: null };
  expect(read(merged(base, ours, written(later(base, 3))).ics)).toMatchObject({
    ...{ summary: "Renamed", tzid: "Europe/Berlin", span: later(base, 3).span },
  });
});

describe("a meeting link", () => {
  const link = { provider: "other", join_url: "https://meet.example/1" } as const;
  const withLink = (ics: string) =>
    ics.replace("END:VEVENT", "CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://meet.example/1\r\nEND:VEVENT");

  it("that others add stays when the application renames the event", () => {
    const base = single();
    const { ics, tookRemote } = merged(base, { ...base, summary: "Renamed" }, withLink(written(base)));
    expect(read(ics)).toMatchObject({ summary: "Renamed", conferencing: { join_url: link.join_url } });
    expect(tookRemote).toBe(true);
  });

  it("that the application takes off goes", () => {
    const existing = withLink(written(single()));
    const base = { ...single(), conferencing: read(existing).conferencing };
    expect(read(merged(base, { ...base, conferencing: null }, existing).ics).conferencing).toBe(null);
  });
});

const HOUR_MS = 3_600_000;
const later = ({ span: { starts, ends, allDay }, ...state }: EventState, hours: number): EventState => ({
  ...state,
  span: { starts: (starts + hours * HOUR_MS) as Instant, ends: (ends + hours * HOUR_MS) as Instant, allDay },
});
const ruled = (state: EventState, short: string): EventState =>
  state.ruleSeries ? { ...state, ruleSeries: { ...state.ruleSeries, rule: rule(short) } } : state;
const skipping = (state: EventState, text: string): EventState =>
  state.ruleSeries
    ? { ...state, ruleSeries: { ...state.ruleSeries, skipped: [...state.ruleSeries.skipped, text].sort() } }
    : state;
const daily: RuleSeries = { rules: [], rule: rule("daily count=30"), skipped: ["2026-11-29"], changed: [] };
const series = single({ ruleSeries: daily });

function starts(state: EventState): string[] {
  const { icalRecurrence } = state;
  if (!icalRecurrence) return [formatInstant(state.span.starts)];
  const window = { from: at("2026-11-01T00:00:00Z"), to: at("2027-06-01T00:00:00Z") };
  const zone = icalRecurrence.tzid === null ? null : namedZone(icalRecurrence.tzid);
  return expandIcal({ ...icalRecurrence, zone }, window, { steps: 10_000 }).occurrences.map((one) =>
    formatInstant(one.starts),
  );
}

const all = sides.flatMap((byRule) => sides.flatMap((byStart) => sides.map((byDay) => ({ byRule, byStart, byDay }))));

describe("of a series", () => {
  it.each(all)("the rule $byRule, the start $byStart and the days $byDay are merged each for itself", (asked) => {
    const { byRule, byStart, byDay } = asked;
    let [ours, theirs] = [series, series];
    if (byStart.ours) ours = later(ours, 2);
    if (byStart.theirs) theirs = later(theirs, 1);
    if (byRule.ours) ours = ruled(ours, "daily 2 count=30");
    if (byRule.theirs) theirs = ruled(theirs, "daily 3 count=30");
    if (byDay.ours) ours = skipping(ours, "2026-12-05");
    if (byDay.theirs) theirs = skipping(theirs, "2026-12-11");
    const { ics } = merged(series, { ...ours, summary: "Renamed" }, written(theirs));

    const short = byRule.ours ? "daily 2 count=30" : byRule.theirs ? "daily 3 count=30" : "daily count=30";
    const hour = byStart.ours ? 10 : byStart.theirs ? 9 : 8;
    // Of another rule's days nobody can say which of ours they are.
    const isLost = byRule.ours && byRule.theirs;
    const out = [
      "2026-11-29",
      ...(byDay.ours ? ["2026-12-05"] : []),
      ...(byDay.theirs && !isLost ? ["2026-12-11"] : []),
    ];
    const days = ruleDays(rule(short), day("2026-11-23"), { from: day("2026-11-23"), to: day("2027-06-01") });
    const expected = days.map(formatDay).filter((text) => !out.includes(text));
    expect(starts(read(ics))).toEqual(expected.map((text) => `${text}T${String(hour).padStart(2, "0")}:00:00Z`));
    expect(read(ics).summary).toBe("Renamed");
  });

  it.each<[string, (ics: string) => string, string[]]>([
    [
      "one date more",
      (ics) => ics.replace("RRULE:FREQ=DAILY", "RDATE;TZID=Europe/Berlin:20261120T150000\r\nRRULE:FREQ=DAILY"),
      ["2026-11-20T14:00:00Z"],
    ],
    ["a second time of day", (ics) => ics.replace("COUNT=30", "COUNT=30;BYHOUR=9,17"), ["2026-11-23T16:00:00Z"]],
  ])("that others give %s the application's own days are what it says, too", (_, others, more) => {
    const moved = { day: "2026-12-02", span: span("2026-12-02T20:00:00Z", "2026-12-02T21:00:00Z"), texts: {} };
    const base = { ...series, ruleSeries: { ...daily, skipped: ["2026-11-26", "2026-11-29"] } };
    const ours = { ...base, ruleSeries: { ...daily, skipped: ["2026-11-29", "2026-11-30"], changed: [moved] } };
    const found = starts(read(merged(base, ours, others(written(base))).ics));
    expect(found).toEqual(expect.arrayContaining([...more, "2026-11-26T08:00:00Z", "2026-12-02T20:00:00Z"]));
    const on = (text: string) => found.filter((start) => start.startsWith(text));
    expect(on("2026-11-29").filter((start) => start.includes("T08"))).toEqual([]);
    expect(on("2026-11-30")).toEqual([]);
    expect(on("2026-12-02").filter((start) => start.includes("T08"))).toEqual([]);
  });

  it("that others make single is single, and when the application says", () => {
    const single = (ics: string) => ics.replace(/RRULE:FREQ=DAILY[^\r]*\r\n/, "").replace(/EXDATE[^\r]*\r\n/, "");
    const renamed = { ...series, summary: "Renamed" };
    expect(read(merged(series, renamed, single(written(series))).ics)).toMatchObject({
      icalRecurrence: null,
      span: series.span,
    });
    const { span: moved } = later(series, 2);
    expect(read(merged(series, later(series, 2), single(written(series))).ics)).toMatchObject({
      icalRecurrence: null,
      span: moved,
    });
  });

  it("that others make of a single event begins when the application says", () => {
    const base = single();
    const others = (ics: string) => ics.replace("SUMMARY", "RRULE:FREQ=DAILY;COUNT=2\r\nSUMMARY");
    const found = read(merged(base, later(base, 2), others(written(base))).ics);
    expect(starts(found)).toEqual(["2026-11-23T10:00:00Z", "2026-11-24T10:00:00Z"]);
  });

  it("that the application makes single is single, whatever rule others give it", () => {
    const ours = { ...series, ruleSeries: null };
    expect(read(merged(series, ours, written(ruled(series, "daily 3 count=30"))).ics).icalRecurrence).toBe(null);
  });

  it("whose new rule of others has no day when the application moves it to repeats as the application says", () => {
    const theirs = written(ruled(series, "weekly mon count=5"));
    const found = starts(read(merged(series, later(series, 24), theirs).ics));
    expect(found.slice(0, 3)).toEqual(["2026-11-24T08:00:00Z", "2026-11-25T08:00:00Z", "2026-11-26T08:00:00Z"]);
  });

  it("whose new rule has no day when others move it to begins as the application says", () => {
    const ours = ruled(series, "weekly mon count=3");
    expect(starts(read(merged(series, ours, written(later(series, 24))).ics)).slice(0, 2)).toEqual([
      "2026-11-23T08:00:00Z",
      "2026-11-30T08:00:00Z",
    ]);
  });

  it("that others move to another zone or to whole days is there, under the application's name", () => {
    const london = { ...series, tzid: "Europe/London", span: span("2026-11-23T09:00:00Z", "2026-11-23T10:00:00Z") };
    const renamed = { ...series, summary: "Renamed" };
    expect(read(merged(series, renamed, written(london)).ics)).toMatchObject({
      tzid: "Europe/London",
      span: london.span,
    });
    const wholeDays = { starts: at("2026-11-23T00:00:00Z"), ends: at("2026-11-24T00:00:00Z"), allDay: true };
    const allDay = { ...series, tzid: null, span: wholeDays };
    expect(read(merged(series, renamed, written(allDay)).ics)).toMatchObject({ span: wholeDays, summary: "Renamed" });
  });

  it("has what others say of one occurrence beside its time and texts", () => {
    const changed = [{ day: "2026-12-02", span: null, texts: { summary: "Other" } }];
    const base = { ...series, ruleSeries: { ...daily, changed } };
    const others = (ics: string) => ics.replace(/(RECURRENCE-ID[^\r]*\r\n)/, "$1URL:https://a.example/one\r\n");
    const { icalRecurrence } = read(merged(base, { ...base, description: "New" }, others(written(base))).ics);
    expect(icalRecurrence?.overrides).toMatchObject([{ fields: { summary: "Other", url: "https://a.example/one" } }]);
    expect(icalRecurrence?.overrides[0]?.fields).not.toHaveProperty("description");
  });
});

it("what is not known to be touched is written as the application says, but for exceptions of others", () => {
  const existing = written({ ...skipping(series, "2026-12-11"), summary: "Theirs" });
  const asked = { existing, base: daily };
  const now = read(written({ ...series, location: "Here" }, asked));
  expect(now).toMatchObject({ summary: "Planning", location: "Here" });
  expect(starts(now)).not.toContain("2026-12-11T08:00:00Z");
});

it("a day that was said before an answer was lost and is taken back since is ours to take back", () => {
  const base = series;
  const said = skipping(base, "2026-12-05");
  const touched = [...changedFieldsOf(base, said), ...changedFieldsOf(said, base)];
  const asked = { uid: "evt-1@almanac", owner, removedGuests: [], notify: true, now: NOW };
  const { ics } = mergeResource({
    ...asked,
    existing: written(said),
    state: base,
    base: daily,
    changedFields: touched,
  });
  expect(starts(read(ics))).toContain("2026-12-05T08:00:00Z");
  const days = ruleDays(rule("daily count=30"), day("2026-11-23") as Day, {
    from: day("2026-11-23"),
    to: day("2027-01-01"),
  });
  expect(starts(read(ics))).toHaveLength(days.length - 1);
});
