import { describe, expect, it } from "vitest";
import type { EventState } from "@/server/domain/events/event-state";
import { changedFieldsOf } from "@/server/domain/merge/changed-fields";
import { seriesAsRead } from "@/server/domain/merge/same-series";
import { expandIcal } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { formatInstant } from "@/server/domain/time/instant";
import { at, rule } from "@/tests/unit/recurrence/given";
import { namedZone } from "@/tests/unit/time/named-zone";
import { calendar, lines, read, single, vevent, written } from "./given-state";

const berlin = (name: string, text: string) => `${name};TZID=Europe/Berlin:${text}`;
const id = (text: string) => `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:${text}`;
const times = (start: string, end: string) => [berlin("DTSTART", start), berlin("DTEND", end)];
const master = (rrule: string, ...more: string[]) =>
  vevent(...times("20270322T090000", "20270322T100000"), "SUMMARY:Planning", `RRULE:${rrule}`, ...more);

/** Starts (UTC, without seconds), minutes and names, of a window. */
function shown(state: EventState, from = "2027-03-01", to = "2027-05-01"): string[] {
  const { icalRecurrence } = state;
  if (!icalRecurrence) throw new Error("it does not repeat");
  const window = { from: at(`${from}T00:00:00Z`), to: at(`${to}T00:00:00Z`) };
  const zone = icalRecurrence.tzid === null ? null : namedZone(icalRecurrence.tzid);
  const { occurrences } = expandIcal({ ...icalRecurrence, zone }, window, { steps: 10_000 });
  return occurrences.map(({ starts, ends, override }) => {
    const name = override?.fields.summary ?? state.summary;
    return `${formatInstant(starts).slice(5, 16)} ${(ends - starts) / 60_000} ${name}`;
  });
}

describe("a RECURRENCE-ID with RANGE=THISANDFUTURE", () => {
  it("moves the occurrence and all that follow by as much on their clock, with its length and words", () => {
    const later = vevent(id("20270325T090000"), ...times("20270325T110000", "20270325T113000"), "SUMMARY:Later");
    // The clocks go forward on 28 March.
    expect(shown(read(calendar(master("FREQ=DAILY;COUNT=9", berlin("EXDATE", "20270327T090000")), later)))).toEqual([
      ...["03-22T08:00 60 Planning", "03-23T08:00 60 Planning", "03-24T08:00 60 Planning"],
      ...["03-25T10:00 30 Later", "03-26T10:00 30 Later", "03-28T09:00 30 Later", "03-29T09:00 30 Later"],
      "03-30T09:00 30 Later",
    ]);
  });

  it("holds until the next one, and what says something of a single occurrence goes before it", () => {
    const two = vevent(id("20270323T090000"), ...times("20270323T100000", "20270323T110000"), "SUMMARY:Ten");
    const alone = vevent(berlin("RECURRENCE-ID", "20270324T090000"), ...times("20270324T150000", "20270324T160000"));
    const gone = vevent(berlin("RECURRENCE-ID", "20270325T090000"), "STATUS:CANCELLED");
    const next = vevent(id("20270326T090000"), ...times("20270326T080000", "20270326T090000"), "SUMMARY:Eight");
    expect(shown(read(calendar(master("FREQ=DAILY;COUNT=6"), next, gone, two, alone)))).toEqual([
      ...["03-22T08:00 60 Planning", "03-23T09:00 60 Ten", "03-24T14:00 60 "],
      ...["03-26T07:00 60 Eight", "03-27T07:00 60 Eight"],
    ]);
  });

  it("that is cancelled ends the series", () => {
    const end = vevent(id("20270324T090000"), ...times("20270324T090000", "20270324T100000"), "STATUS:CANCELLED");
    expect(shown(read(calendar(master("FREQ=DAILY"), end)))).toEqual([
      "03-22T08:00 60 Planning",
      "03-23T08:00 60 Planning",
    ]);
  });

  it("shows far ahead what is moved into the window, and nothing that is moved out of it", () => {
    const days = vevent(id("20270329T090000"), ...times("20270408T090000", "20270408T100000"), "SUMMARY:Ten days on");
    const state = read(calendar(master("FREQ=WEEKLY"), days));
    expect(shown(state, "2030-01-01", "2030-01-20")).toEqual([
      "01-03T08:00 60 Ten days on",
      "01-10T08:00 60 Ten days on",
      "01-17T08:00 60 Ten days on",
    ]);
    expect(shown(state, "2027-03-28", "2027-04-05")).toEqual([]);
  });

  it("of an all-day series moves whole days", () => {
    const allDay = vevent("DTSTART;VALUE=DATE:20270322", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Fair");
    const next = [
      "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20270323",
      "DTSTART;VALUE=DATE:20270330",
      "SUMMARY:Fair",
    ];
    expect(shown(read(calendar(allDay, vevent(...next))))).toEqual([
      ...["03-22T00:00 1440 Fair", "03-30T00:00 1440 Fair", "03-31T00:00 1440 Fair"],
    ]);
  });

  it("is written back as it was, and moves along with a series that moves", () => {
    const later = vevent(id("20270325T090000"), ...times("20270325T110000", "20270325T113000"), "SUMMARY:Later");
    const ics = calendar(master("FREQ=DAILY;COUNT=9"), later);
    const state = read(ics);
    const renamed = { ...state, location: "Here" };
    const kept = written(renamed, { existing: ics, changedFields: changedFieldsOf(state, renamed) });
    expect(lines(kept)).toContain(id("20270325T090000"));
    expect(shown(read(kept))).toEqual(shown(state));
    const by = 3_600_000;
    const { span, icalRecurrence } = state;
    if (!icalRecurrence) throw new Error("it does not repeat");
    const moved = {
      ...state,
      span: { ...span, starts: span.starts + by, ends: span.ends + by },
      icalRecurrence: { ...icalRecurrence, start: icalRecurrence.start + by },
    } as EventState;
    const along = read(written(moved, { existing: ics, changedFields: ["when"] }));
    expect(along.icalRecurrence?.overrides).toMatchObject([{ following: true }]);
    expect(shown(along)[0]).toBe("03-22T09:00 60 Planning");
  });

  it("is nothing that a series of the application's own can say", () => {
    const own = single({ ruleSeries: { rules: [], rule: rule("daily count=9"), skipped: [], changed: [] } });
    const one = (range: string) =>
      written(own).replace(
        "END:VCALENDAR",
        `${vevent(`RECURRENCE-ID${range};TZID=Europe/Berlin:20261125T090000`, ...times("20261125T110000", "20261125T120000"), "SUMMARY:Planning").replace("UID:a", "UID:evt-1@almanac")}\r\nEND:VCALENDAR`,
      );
    expect(seriesAsRead(own, read(one("")))).toMatchObject({ changed: [{ day: "2026-11-25" }] });
    expect(seriesAsRead(own, read(one(";RANGE=THISANDFUTURE")))).toBe(null);
  });
});
