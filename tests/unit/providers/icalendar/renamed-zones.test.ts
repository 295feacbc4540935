import { describe, expect, it } from "vitest";
import type { RuleSeries } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import { rule } from "@/tests/unit/recurrence/given";
import { startsByOthers } from "../../../fakes/second-reader";
import { lines, read, single, written } from "./given-state";

const at = (text: string) => Date.parse(text) as Instant;
const series = (more: Partial<RuleSeries> = {}): RuleSeries => ({
  ...{ rules: [], skipped: [], changed: [] },
  rule: rule("daily count=6"),
  ...more,
});
const moved = series({
  skipped: ["2026-11-24"],
  changed: [
    {
      day: "2026-11-25",
      span: { starts: at("2026-11-25T14:00:00Z"), ends: at("2026-11-25T15:00:00Z"), allDay: false },
      texts: {},
    },
  ],
});
const first = written(single({ ruleSeries: series() }));
const renamed = (name: string) =>
  first
    .replaceAll("TZID=Europe/Berlin", `TZID=${/[:,;]/.test(name) ? `"${name}"` : name}`)
    .replace("TZID:Europe/Berlin", `TZID:${name.replace(/[,;]/g, "\\$&")}`)
    .replace("X-LIC-LOCATION:Europe/Berlin\r\n", "");
const namesIn = (ics: string) => new Set(lines(ics).flatMap((one) => /;TZID=("[^"]*"|[^:;]*)/.exec(one)?.[1] ?? []));

describe("a series whose zone others renamed", () => {
  it.each([
    ["Windows' name", "W. Europe Standard Time"],
    ["a name behind a path", "/freeassociation.sourceforge.net/Europe/Berlin"],
    ["a name that its VTIMEZONE alone explains", "Customized Time Zone"],
    ["a name with a comma", "(UTC+01:00) Amsterdam, Berlin"],
    ["a name with a colon", "tzone://Ours/Berlin"],
  ])("to %s has that name at the occurrences that the application changes and skips", (_, name) => {
    const quoted = /[:,;]/.test(name) ? `"${name}"` : name;
    const ics = written(single({ ruleSeries: moved }), { existing: renamed(name), base: series() });
    expect(namesIn(ics)).toEqual(new Set([quoted]));
    expect(lines(ics)).toContain(`EXDATE;TZID=${quoted}:20261124T090000`);
    expect(lines(ics)).toContain(`RECURRENCE-ID;TZID=${quoted}:20261125T090000`);
    expect(lines(ics).filter((one) => one === "BEGIN:VTIMEZONE")).toHaveLength(1);
    const days = ["23T08", "25T14", "26T08", "27T08", "28T08"];
    expect(startsByOthers(ics)).toEqual(days.map((day) => `2026-11-${day}:00:00Z`));
    expect(read(ics).icalRecurrence?.overrides).toMatchObject([{ starts: at("2026-11-25T14:00:00Z") }]);
  });

  it("keeps the changed occurrences of others when the application renames or moves it, on one clock", () => {
    const existing = written(single({ ruleSeries: moved }), {
      existing: renamed("Customized Time Zone"),
      base: series(),
    });
    const span = { starts: at("2026-11-23T10:00:00Z"), ends: at("2026-11-23T11:00:00Z"), allDay: false };
    const ics = written(single({ span, ruleSeries: moved }), { existing, base: moved });
    expect(namesIn(ics)).toEqual(new Set(["Customized Time Zone"]));
    expect(startsByOthers(ics)[0]).toBe("2026-11-23T10:00:00Z");
    expect(lines(ics)).toContain("TZID:Customized Time Zone");
  });

  it.each([
    ["start", "2027-04-01T07:00:00Z", null],
    ["changed occurrence", "2026-11-23T08:00:00Z", "2027-04-01T07:00:00Z"],
  ])("is at the right time where the description is wrong at its %s", (_, starts, other) => {
    const late = renamed("Customized Time Zone").replace("BYMONTH=3;BYDAY=-1SU", "BYMONTH=4;BYDAY=1SU");
    const hour = (from: string) => ({ starts: at(from), ends: (at(from) + 3_600_000) as Instant, allDay: false });
    const changed = other === null ? [] : [{ day: "2026-11-25", span: hour(other), texts: {} }];
    const ics = written(single({ span: hour(starts), ruleSeries: series({ changed }) }), {
      existing: late,
      base: series(),
    });
    expect(startsByOthers(ics)).toContain(other ?? starts);
  });
});
