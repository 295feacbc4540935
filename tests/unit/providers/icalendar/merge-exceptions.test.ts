import { describe, expect, it } from "vitest";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { at, rule } from "@/tests/unit/recurrence/given";
import { calendar, lines, read, single, vevent, written } from "./given-state";

/** The application skipped 30 November and renamed 2 December of a series at nine; both sides have that. */
const changed = [{ day: "2026-12-02", span: null, texts: { summary: "Other" } }];
const series = (short: string): RuleSeries => ({
  ...{ rules: [], rule: rule(short), skipped: ["2026-11-30"] },
  changed: short === "daily" ? changed : [],
});
const berlin = (name: string, text: string) => `${name};TZID=Europe/Berlin:${text}`;
const EXDATE = berlin("EXDATE", "20261130T090000");

/** What is written when the application only renames the series and others changed the resource in the meantime. */
function renamed(short: string, others: (ics: string) => string): string[] {
  const state = single({ ruleSeries: series(short) });
  const agreed = series(short);
  const before = written(state);
  const existing = others(before);
  if (existing === before) throw new Error("others changed nothing");
  return lines(written({ ...state, summary: "Renamed" }, { existing, base: agreed }));
}

const later = (ics: string) =>
  ics.replace("DTSTART;TZID=Europe/Berlin:20261123T09", "DTSTART;TZID=Europe/Berlin:20261123T10");
const without =
  (...parts: RegExp[]) =>
  (ics: string) =>
    parts.reduce((text, part) => text.replace(part, ""), ics);
const exdateLine = /EXDATE[^\r]*\r\n/;
const override = /BEGIN:VEVENT\r\n(?:(?!END:VEVENT)[\s\S])*RECURRENCE-ID(?:(?!END:VEVENT)[\s\S])*END:VEVENT\r\n/;
const rrule = (from: string, to: string) => (ics: string) => ics.replace(`RRULE:FREQ=${from}`, `RRULE:FREQ=${to}`);

describe("a day that the application skipped stays skipped when it renames the series unawares, and others", () => {
  it.each([
    ["make it every second day", "daily count=60", rrule("DAILY", "DAILY;INTERVAL=2")],
    ["make it every second week", "weekly", rrule("WEEKLY", "WEEKLY;INTERVAL=2")],
    ["have it twice a day", "daily count=60", rrule("DAILY", "DAILY;BYHOUR=9,17")],
    ["move it to another time, with the exceptions at the old one", "weekly", later],
    ["move it, with the exceptions at the old time, one of them an override", "daily", later],
    [
      "end it before, without what came after",
      "daily",
      (ics: string) => without(exdateLine, override)(rrule("DAILY", "DAILY;UNTIL=20261128T225959Z")(ics)),
    ],
    [
      "move it, and say of the day that it is cancelled at the old time",
      "weekly",
      (ics: string) =>
        later(without(exdateLine)(ics)).replace(
          "END:VCALENDAR",
          ["BEGIN:VEVENT", "UID:evt-1@almanac", berlin("RECURRENCE-ID", "20261130T090000"), "STATUS:CANCELLED"]
            .concat("END:VEVENT", "END:VCALENDAR")
            .join("\r\n"),
        ),
    ],
  ])("%s", (_, short, others) => {
    const now = renamed(short, others);
    expect(now).toContain(EXDATE);
    expect(now).toContain("SUMMARY:Renamed");
    const kept = short === "daily" ? [berlin("RECURRENCE-ID", "20261202T090000")] : [];
    expect(now.filter((line) => line.startsWith("RECURRENCE-ID") && line.includes("20261202"))).toEqual(kept);
  });
});

it("a day that others bring back is back", () => {
  const now = renamed("daily", without(exdateLine));
  expect(now.filter((line) => line.startsWith("EXDATE"))).toEqual([]);
  expect(now).toContain(berlin("RECURRENCE-ID", "20261202T090000"));
});

it("a day that others bring back of a series that they move is back", () => {
  const now = renamed("weekly", (ics) => later(without(exdateLine)(ics)));
  expect(now.filter((line) => line.startsWith("EXDATE"))).toEqual([]);
});

describe("of a series that others gave its rule, and move while the application renames it", () => {
  const made = calendar(
    vevent(
      berlin("DTSTART", "20261123T090000"),
      berlin("DTEND", "20261123T100000"),
      "SUMMARY:Planning",
      "RRULE:FREQ=DAILY;BYHOUR=9;BYSETPOS=1",
      berlin("EXDATE", "20261125T090000"),
    ),
  );
  const state = { ...read(made), summary: "Renamed" };
  const half = (ics: string) => ics.replaceAll(/(202611\d\dT\d\d)00/g, "$130");
  const skipping = (text: string) => (ics: string) =>
    ics.replace("END:VEVENT", `${berlin("EXDATE", text)}\r\nEND:VEVENT`);
  const exdates = (all: string[]) => all.filter((line) => line.startsWith("EXDATE")).map((line) => line.slice(-15));

  it.each([
    ["with its exceptions, and take a day out", (ics: string) => skipping("20261127T093000")(half(ics))],
    [
      "without its exceptions, and take a day out",
      (ics: string) => skipping("20261127T093000")(ics.replace(/(DTSTART[^\r]*T09)00/, "$130")),
    ],
    ["not at all, but take a day out", skipping("20261127T090000")],
  ])("%s, the days that are out stay out", (_, others) => {
    const now = lines(written(state, { existing: others(made) }));
    expect(now).toContain(berlin("DTSTART", "20261123T090000"));
    expect(exdates(now)).toEqual(["20261125T090000", "20261127T090000"]);
    expect(now).toContain("SUMMARY:Renamed");
  });

  it("what they say of single occurrences is of the same ones, at the series' time or where they put it", () => {
    const one = (id: string, start: string) =>
      vevent(berlin("RECURRENCE-ID", id), berlin("DTSTART", start), "DURATION:PT1H", "SUMMARY:Theirs");
    const there = half(made).replace(
      "END:VCALENDAR",
      [one("20261126T093000", "20261126T093000"), one("20261127T093000", "20261127T150000"), "END:VCALENDAR"].join(
        "\r\n",
      ),
    );
    const { icalRecurrence } = read(written(state, { existing: there }));
    expect(icalRecurrence?.overrides).toMatchObject([
      { recurrenceId: at("2026-11-26T09:00:00Z"), starts: at("2026-11-26T08:00:00Z"), fields: { summary: "Theirs" } },
      { recurrenceId: at("2026-11-27T09:00:00Z"), starts: at("2026-11-27T14:00:00Z"), fields: { summary: "Theirs" } },
    ]);
  });

  it("a day that others take out of one that the application moves is out at the new time", () => {
    const { icalRecurrence, span } = state;
    if (!icalRecurrence) throw new Error("it does not repeat");
    const by = 2 * 3_600_000;
    const [start, starts, ends] = [icalRecurrence.start, span.starts, span.ends].map((time) => time + by);
    const moved = {
      ...state,
      span: { ...span, starts, ends },
      icalRecurrence: { ...icalRecurrence, start },
    } as EventState;
    const now = lines(written(moved, { existing: skipping("20261127T090000")(made) }));
    expect(now).toContain(berlin("DTSTART", "20261123T110000"));
    expect(exdates(now)).toContain("20261127T110000");
  });
});
