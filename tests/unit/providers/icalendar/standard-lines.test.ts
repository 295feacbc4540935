import { describe, expect, it } from "vitest";
import { rule } from "@/tests/unit/recurrence/given";
import { startsByOthers } from "../../../fakes/second-reader";
import { lines, read, single, written } from "./given-state";

const series = { rules: [], skipped: ["2026-11-24"], changed: [], rule: rule("daily count=4") };
const sound = written(single({ ruleSeries: series }));
const days = ["2026-11-23T08:00:00Z", "2026-11-25T08:00:00Z", "2026-11-26T08:00:00Z"];

/** What other programs made of lines that the application had written: the same times. */
const odd: [string, (ics: string) => string][] = [
  [
    "times in ISO 8601 with an offset",
    (ics) =>
      ics
        .replace(/DTSTART;TZID=.*/, "DTSTART;TZID=Europe/Berlin:2026-11-23T09:00:00")
        .replace(/DTEND;TZID=.*/, "DTEND:2026-11-23T10:00:00+01:00"),
  ],
  ["a rule with an interval of 0", (ics) => ics.replace("RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY;INTERVAL=0")],
  ["a rule with a part twice", (ics) => ics.replace("COUNT=4", "COUNT=9;COUNT=4")],
  ["an excluded day on no clock", (ics) => ics.replace(/EXDATE;TZID=.*/, "EXDATE:20261124T090000")],
];

describe("a series in which another program left", () => {
  it.each(odd)("%s is written as strict readers understand it, and is not rescheduled", (_, change) => {
    const existing = change(sound);
    expect(existing).not.toBe(sound);
    const state = read(existing);
    const ics = written({ ...state, summary: "Renamed" }, { existing });
    const times = /^(?:DTSTART|DTEND|RRULE|EXDATE|SEQUENCE)/;
    expect(lines(ics).filter((one) => times.test(one))).toEqual(lines(sound).filter((one) => times.test(one)));
    expect(lines(ics)).toContain("SUMMARY:Renamed");
    expect(startsByOthers(ics)).toEqual(days);
  });

  it("a changed occurrence on no clock is written on that of its series", () => {
    const moved = [
      {
        ...{ day: "2026-11-25", texts: {} },
        span: { starts: Date.parse("2026-11-25T14:00:00Z"), ends: Date.parse("2026-11-25T15:00:00Z"), allDay: false },
      },
    ];
    const changed = written(single({ ruleSeries: { ...series, changed: moved as never } }));
    const existing = changed.replace(/RECURRENCE-ID;TZID=.*/, "RECURRENCE-ID:20261125T090000");
    expect(existing).not.toBe(changed);
    const ics = written({ ...read(existing), summary: "Renamed" }, { existing });
    expect(lines(ics)).toContain("RECURRENCE-ID;TZID=Europe/Berlin:20261125T090000");
    expect(startsByOthers(ics)).toEqual([days[0], "2026-11-25T14:00:00Z", days[2]]);
  });
});
