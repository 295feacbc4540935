import { describe, expect, it } from "vitest";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { readRecurrenceId } from "@/server/domain/recurrence/rfc5545/series-dates";
import { at, expand, given, ids, local, shown, starts } from "@/tests/unit/recurrence/rfc5545/given-series";
import { namedZone } from "@/tests/unit/time/named-zone";

const HOUR_MS = 3_600_000;
const [from, to] = ["2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"];
const nine = "20261201T090000";
const berlin = namedZone("Europe/Berlin");

const override = (id: string, starts: string, more: Partial<IcalOverride<string>> = {}): IcalOverride<string> => ({
  recurrenceId: local(id),
  starts: at(starts),
  ends: (at(starts) + HOUR_MS) as IcalOverride["ends"],
  fields: id,
  ...more,
});

describe("the recurrence set", () => {
  it("unites several RRULEs and RDATEs, each day once", () => {
    const series = given(nine, {
      rrules: ["FREQ=WEEKLY;BYDAY=TU;COUNT=3", "FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20261210"],
      rdates: [{ text: "20261203T090000,20261224T100000" }],
    });
    expect(ids(series, from, to)).toEqual(
      ["01T09:00", "03T09:00", "08T09:00", "10T09:00", "15T09:00", "24T10:00"].map((day) => `2026-12-${day}`),
    );
  });

  it("is DTSTART alone where there is no rule", () => {
    expect(ids(given(nine), from, to)).toEqual(["2026-12-01T09:00"]);
  });

  it("takes EXDATE and EXRULE away; they are counted all the same", () => {
    const series = given(nine, {
      rrules: ["FREQ=DAILY;COUNT=10"],
      exdates: [{ text: "20261202T090000" }, { text: "20261203T080000Z" }],
      exrules: ["FREQ=WEEKLY;BYDAY=SA,SU"],
    });
    const kept = ["01", "04", "07", "08", "09", "10"].map((day) => `2026-12-${day}T09:00`);
    expect(ids(series, from, to)).toEqual(kept);
  });

  it("does not lose DTSTART to an EXRULE that does not meet it", () => {
    const series = given(nine, { rrules: ["FREQ=DAILY;COUNT=2"], exrules: ["FREQ=WEEKLY;BYDAY=SU;COUNT=1"] });
    expect(ids(series, from, to)).toEqual(["2026-12-01T09:00", "2026-12-02T09:00"]);
  });

  it("has DTSTART as its first occurrence, which COUNT counts, also where the rule does not meet it", () => {
    expect(ids(given(nine, { rrules: ["FREQ=WEEKLY;BYDAY=FR;COUNT=3"] }), from, to)).toEqual(
      ["01", "04", "11"].map((day) => `2026-12-${day}T09:00`),
    );
    expect(ids(given(nine, { rrules: ["FREQ=DAILY;UNTIL=20261101"] }), from, to)).toEqual(["2026-12-01T09:00"]);
  });

  it("has no DTSTART that an EXDATE names", () => {
    const series = given(nine, { rrules: ["FREQ=DAILY;COUNT=2"], exdates: [{ text: nine }] });
    expect(ids(series, from, to)).toEqual(["2026-12-02T09:00"]);
  });

  it("takes dates in UTC, in another zone and in the series' own for the same instant", () => {
    const newYork = namedZone("America/New_York");
    const series = given(nine, {
      rrules: ["FREQ=DAILY;COUNT=4"],
      exdates: [
        { text: "20261202T080000Z" },
        { text: "20261203T030000", zone: newYork },
        { text: "20261204T090000", zone: berlin },
      ],
      rdates: [{ text: "20261210T020000", zone: newYork }],
    });
    expect(ids(series, from, to)).toEqual(["2026-12-01T09:00", "2026-12-10T08:00"]);
  });

  it("takes a DATE in a timed series for the day: as EXDATE the whole of it, as RDATE at DTSTART's time", () => {
    const series = given(nine, {
      rrules: ["FREQ=DAILY;BYHOUR=9,18;UNTIL=20261203"],
      exdates: [{ text: "20261202" }],
      rdates: [{ text: "20261220" }],
    });
    expect(ids(series, from, to)).toEqual(
      ["01T09:00", "01T18:00", "03T09:00", "03T18:00", "20T09:00"].map((day) => `2026-12-${day}`),
    );
  });

  it("lets an RDATE of PERIOD say how long it lasts", () => {
    const series = given(nine, {
      rrules: ["FREQ=DAILY;COUNT=2"],
      rdates: [{ text: "20261202T090000/PT5H30M,20261205T080000Z/20261205T100000Z,20261130T220000/P2DT1H" }],
    });
    const { occurrences } = expand(series, from, to);
    expect(occurrences.map((one) => [shown(one.starts), shown(one.ends)])).toEqual([
      ["2026-11-30T21:00", "2026-12-02T22:00"],
      ["2026-12-01T08:00", "2026-12-01T09:00"],
      ["2026-12-02T08:00", "2026-12-02T13:30"],
      ["2026-12-05T08:00", "2026-12-05T10:00"],
    ]);
  });

  it("lets an EXDATE take away a PERIOD that began long before the window", () => {
    const rdates = [{ text: "20260301T090000/P400D" }];
    expect(ids(given(nine, { rdates }), from, to)).toEqual(["2026-03-01T09:00", "2026-12-01T09:00"]);
    expect(ids(given(nine, { rdates, exdates: [{ text: "20260301T090000" }] }), from, to)).toEqual([
      "2026-12-01T09:00",
    ]);
  });
});

describe("overrides", () => {
  const daily = { rrules: ["FREQ=DAILY;COUNT=31"] };

  it("take the place of the occurrence with their RECURRENCE-ID", () => {
    const series = given(nine, { ...daily, overrides: [override("20261202T090000", "2026-12-02T15:00:00Z")] });
    const { occurrences } = expand(series, from, "2026-12-04T00:00:00Z");
    expect(
      occurrences.map((one) => [shown(one.recurrenceId), shown(one.starts), one.override?.fields ?? null]),
    ).toEqual([
      ["2026-12-01T09:00", "2026-12-01T08:00", null],
      ["2026-12-02T09:00", "2026-12-02T15:00", "20261202T090000"],
      ["2026-12-03T09:00", "2026-12-03T08:00", null],
    ]);
    expect(occurrences.map((one) => one.day)).toEqual([20_788, 20_789, 20_790]);
  });

  it("come into the window and leave it with their own times", () => {
    const into = override("20261220T090000", "2026-12-05T08:00:00Z");
    const away = override("20261206T090000", "2027-03-01T08:00:00Z");
    const series = given(nine, { ...daily, overrides: [into, away] });
    expect(ids(series, "2026-12-05T00:00:00Z", "2026-12-08T00:00:00Z")).toEqual(
      ["05", "20", "07"].map((day) => `2026-12-${day}T09:00`),
    );
  });

  it("are occurrences without a master day, and where an EXDATE names it", () => {
    const orphan = override("20261202T113000", "2026-12-02T10:30:00Z");
    const named = override("20261203T090000", "2026-12-03T08:00:00Z");
    const series = given(nine, {
      rrules: ["FREQ=WEEKLY"],
      exdates: [{ text: "20261203T090000" }],
      overrides: [orphan, named],
    });
    expect(ids(series, from, "2026-12-05T00:00:00Z")).toEqual(
      ["01T09:00", "02T11:30", "03T09:00"].map((day) => `2026-12-${day}`),
    );
  });

  it("are found when RECURRENCE-ID was written in UTC or as a date", () => {
    const of = { clock: { allDay: false, zone: berlin }, start: local(nine) };
    expect(readRecurrenceId({ text: "20261202T080000Z" }, of)).toBe(local("20261202T090000"));
    expect(readRecurrenceId({ text: "20261202" }, of)).toBe(local("20261202T090000"));
    expect(readRecurrenceId({ text: "20261202T080000Z" }, { ...of, clock: { allDay: true, zone: null } })).toBe(
      local("20261202"),
    );
    expect(readRecurrenceId({ text: "tomorrow" }, of)).toBeNull();
  });

  it("of one RECURRENCE-ID: the last holds", () => {
    const twice = ["first", "last"].map((fields) => override("20261202T090000", "2026-12-02T15:00:00Z", { fields }));
    const { occurrences } = expand(given(nine, { ...daily, overrides: twice }), from, "2026-12-03T00:00:00Z");
    expect(occurrences.map((one) => one.override?.fields)).toEqual([undefined, "last"]);
  });

  it("that are cancelled take their occurrence away", () => {
    const cancelled = override("20261202T090000", "2026-12-02T08:00:00Z", { cancelled: true });
    expect(ids(given(nine, { ...daily, overrides: [cancelled] }), from, "2026-12-04T00:00:00Z")).toEqual([
      "2026-12-01T09:00",
      "2026-12-03T09:00",
    ]);
  });
});

describe("clocks", () => {
  const march = ["2027-03-27T00:00:00Z", "2027-03-30T00:00:00Z"] as const;

  it("keep the local time all year", () => {
    const series = given(nine, { rrules: ["FREQ=DAILY"] });
    expect(starts(series, ...march)).toEqual(["2027-03-27T08:00", "2027-03-28T07:00", "2027-03-29T07:00"]);
  });

  it("shift an occurrence in a gap forward, and count it", () => {
    const series = given("20270327T023000", { rrules: ["FREQ=DAILY;COUNT=3"] });
    expect(starts(series, ...march)).toEqual(["2027-03-27T01:30", "2027-03-28T01:30", "2027-03-29T00:30"]);
    expect(ids(series, ...march)).toEqual(["2027-03-27T02:30", "2027-03-28T03:30", "2027-03-29T02:30"]);
  });

  it("give what a gap puts on one instant once", () => {
    const series = given("20270328T003000", { rrules: ["FREQ=HOURLY;COUNT=5"] });
    expect(starts(series, ...march)).toEqual([
      "2027-03-27T23:30",
      "2027-03-28T00:30",
      "2027-03-28T01:30",
      "2027-03-28T02:30",
    ]);
  });

  it("know an override in a gap by the local time on either side of the shift", () => {
    for (const id of ["20270328T023000", "20270328T033000"]) {
      const series = given("20270327T023000", {
        rrules: ["FREQ=DAILY;COUNT=3"],
        overrides: [override(id, "2027-03-28T10:00:00Z")],
      });
      expect(starts(series, ...march)).toEqual(["2027-03-27T01:30", "2027-03-28T10:00", "2027-03-29T00:30"]);
    }
  });

  it("take the first of the two in an overlap", () => {
    const series = given("20261024T023000", { rrules: ["FREQ=DAILY;COUNT=3"] });
    expect(starts(series, "2026-10-24T00:00:00Z", "2026-10-27T00:00:00Z")).toEqual(
      ["24T00:30", "25T00:30", "26T01:30"].map((time) => `2026-10-${time}`),
    );
  });

  it("leave an exact duration as it is and let a nominal day be 23 hours", () => {
    const ends = (duration: { days: number; exact: number }) =>
      expand(given("20270327T120000", { duration }), ...march).occurrences.map((one) => shown(one.ends));
    expect(ends({ days: 0, exact: 24 * HOUR_MS })).toEqual(["2027-03-28T11:00"]);
    expect(ends({ days: 1, exact: 0 })).toEqual(["2027-03-28T10:00"]);
    expect(ends({ days: 1, exact: HOUR_MS })).toEqual(["2027-03-28T11:00"]);
  });

  it("compare an UNTIL in UTC with instants: the last of the winter is in, one second earlier it is out", () => {
    const until = (text: string) =>
      ids(given("20270326T090000", { rrules: [`FREQ=DAILY;UNTIL=${text}`] }), ...march).length;
    expect(until("20270329T070000Z")).toBe(3);
    expect(until("20270329T065959Z")).toBe(2);
  });

  it("keep an occurrence before an UNTIL that falls into the overlap's second half", () => {
    const series = given("20261024T025000", { rrules: ["FREQ=DAILY;UNTIL=20261025T011000Z"] });
    expect(starts(series, "2026-10-24T00:00:00Z", "2026-10-27T00:00:00Z")).toEqual([
      "2026-10-24T00:50",
      "2026-10-25T00:50",
    ]);
  });
});

describe("windows", () => {
  it("hold what began before them and still lasts, and what has no length where it starts", () => {
    const long = given("20261120T090000", { rrules: ["FREQ=WEEKLY"], duration: { days: 0, exact: 12 * 24 * HOUR_MS } });
    expect(ids(long, from, "2026-12-02T00:00:00Z")).toEqual(["2026-11-20T09:00", "2026-11-27T09:00"]);
    const instant = given("20261201T010000", { duration: { days: 0, exact: 0 } });
    expect(ids(instant, from, to)).toHaveLength(1);
    expect(ids(instant, "2026-11-30T00:00:00Z", from)).toHaveLength(0);
  });

  it("cut a series to the same occurrences as one great window does", () => {
    const series = given("20200101T090000", {
      rrules: ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,3", "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1,53;BYDAY=MO,SU"],
    });
    const whole = ids(series, "2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
    const years = Array.from({ length: 10 }, (_, i) =>
      ids(series, `${2020 + i}-01-01T00:00:00Z`, `${2021 + i}-01-01T00:00:00Z`),
    );
    expect(years.flat()).toEqual(whole);
    expect(whole.length).toBeGreaterThan(200);
  });
});
