import { describe, expect, it } from "vitest";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import { sameSeries, seriesAsRead } from "@/server/domain/merge/same-series";
import { rule } from "@/tests/unit/recurrence/given";
import { calendar, read, single, vevent } from "./given-state";

const start = [
  "DTSTART;TZID=Europe/Berlin:20261123T090000",
  "DTEND;TZID=Europe/Berlin:20261123T100000",
  "SUMMARY:Planning",
];
const own = (short: string, more: Partial<RuleSeries> = {}): EventState =>
  single({ ruleSeries: { rules: [{ frequency: "daily" }], rule: rule(short), skipped: [], changed: [], ...more } });
const theirs = (lines: string[], ...overrides: string[][]) =>
  read(calendar(vevent(...start, ...lines), ...overrides.map((one) => vevent(...one))));

describe("a series read again is our own", () => {
  it.each([
    ["daily", "RRULE:FREQ=DAILY"],
    ["daily 2 count=4", "RRULE:INTERVAL=2;COUNT=4;FREQ=DAILY;BYHOUR=9;BYMINUTE=0"],
    ["weekly", "RRULE:FREQ=WEEKLY;BYDAY=MO;WKST=SU"],
    ["weekly mon,wed", "RRULE:FREQ=WEEKLY;BYDAY=WE,MO"],
    ["weekly mon until=2027-01-04", "RRULE:FREQ=WEEKLY;UNTIL=20270104T080000Z;BYDAY=MO"],
    ["weekly mon until=2027-01-04", "RRULE:FREQ=WEEKLY;UNTIL=20270104"],
    ["monthly", "RRULE:FREQ=MONTHLY;BYMONTHDAY=23"],
    ["monthly 4mon", "RRULE:FREQ=MONTHLY;BYDAY=4MO"],
    ["yearly", "RRULE:FREQ=YEARLY;BYMONTH=11;BYMONTHDAY=23"],
  ])("%s as %s", (short, line) => {
    expect(sameSeries(own(short), theirs([line]))).toBe(true);
  });

  it.each([
    ["another interval", "daily", ["RRULE:FREQ=DAILY;INTERVAL=2"]],
    ["another count", "daily count=3", ["RRULE:FREQ=DAILY;COUNT=4"]],
    ["an end that lacks the last day", "daily until=2026-12-01", ["RRULE:FREQ=DAILY;UNTIL=20261201T075959Z"]],
    ["a week that begins on Sunday", "weekly 2 mon,sun", ["RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU"]],
    ["what five fields cannot say", "monthly 4mon", ["RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=4"]],
    ["two rules", "daily", ["RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"]],
    ["dates beside the rule", "daily", ["RRULE:FREQ=DAILY", "RDATE;TZID=Europe/Berlin:20261123T120000"]],
    ["no rule", "daily", []],
    ["a day less", "daily", ["RRULE:FREQ=DAILY", "EXDATE;TZID=Europe/Berlin:20261124T090000"]],
  ])("not with %s", (_, short, lines) => {
    expect(sameSeries(own(short), theirs(lines))).toBe(false);
  });

  it("when it starts at another time of the day, or in another zone's", () => {
    const moved = calendar(vevent("DTSTART;TZID=Europe/Vienna:20261123T110000", "RRULE:FREQ=WEEKLY"));
    expect(sameSeries(own("weekly"), read(moved))).toBe(true);
  });

  it("when a guest has answered for one occurrence, which then has words of its own", () => {
    const reply = ["RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000", "DTSTART;TZID=Europe/Berlin:20261124T090000"];
    const all = [
      ...reply,
      "DURATION:PT1H",
      "SUMMARY:Planning",
      "ORGANIZER:mailto:a@acme.io",
      "ATTENDEE:mailto:b@acme.io",
    ];
    expect(sameSeries(own("daily"), theirs(["RRULE:FREQ=DAILY"], all))).toBe(true);
  });

  it("or not, as events without repetition are", () => {
    expect(sameSeries(single(), theirs([]))).toBe(true);
    expect(sameSeries(single(), theirs(["RRULE:FREQ=DAILY"]))).toBe(false);
  });
});

describe("what others have changed of our series", () => {
  const override = (id: string, ...more: string[]) => [`RECURRENCE-ID;TZID=Europe/Berlin:${id}`, ...more];

  it("is skipped and changed days of it", () => {
    const state = theirs(
      ["RRULE:FREQ=DAILY", "EXDATE;TZID=Europe/Berlin:20261124T090000,20261124T113000"],
      override("20261125T090000", "STATUS:CANCELLED"),
      override("20261126T090000", "DTSTART:20261126T120000Z", "DTEND:20261126T130000Z", "SUMMARY:Planning"),
      override("20261127T090000", "DTSTART:20261127T080000Z", "DURATION:PT1H", "SUMMARY:B"),
    );
    const [starts, ends] = ["2026-11-26T12:00:00Z", "2026-11-26T13:00:00Z"].map((text) => Date.parse(text));
    expect(seriesAsRead(own("daily", { skipped: ["2026-12-01"] }), state)).toEqual({
      rules: [{ frequency: "daily" }],
      rule: rule("daily"),
      skipped: ["2026-11-24", "2026-11-25"],
      changed: [
        { day: "2026-11-26", span: { starts, ends, allDay: false }, texts: {} },
        { day: "2026-11-27", span: null, texts: { summary: "B" } },
      ],
    });
  });

  it("is none of ours with another rule, or an occurrence more", () => {
    expect(seriesAsRead(own("daily"), theirs(["RRULE:FREQ=WEEKLY"]))).toBeNull();
    expect(
      seriesAsRead(own("weekly"), theirs(["RRULE:FREQ=WEEKLY"], override("20261124T090000", "SUMMARY:B"))),
    ).toBeNull();
  });
});

describe("replies to single days of our series", () => {
  const people = (ben: string, owner = "ACCEPTED") => [
    "ORGANIZER:mailto:owner@acme.io",
    `ATTENDEE;PARTSTAT=${owner}:mailto:owner@acme.io`,
    `ATTENDEE;PARTSTAT=${ben}:mailto:ben@acme.io`,
  ];
  const on = (day: string, ...more: string[]) => {
    const time = `TZID=Europe/Berlin:${day}T090000`;
    return [`RECURRENCE-ID;${time}`, `DTSTART;${time}`, "DURATION:PT1H", "SUMMARY:Planning", ...more];
  };
  const ben = (status: "declined" | "tentative") => ({ email: "ben@acme.io", display_name: null, status });
  const stale = own("daily", { replies: [{ day: "2026-12-01", guests: [ben("declined")] }] });

  it("are read beside what was changed, in place of those of before", () => {
    const state = theirs(
      ["RRULE:FREQ=DAILY", ...people("ACCEPTED")],
      on("20261127", ...people("TENTATIVE", "DECLINED"), "ATTENDEE;PARTSTAT=ACCEPTED:mailto:guest@acme.io"),
      on("20261126", ...people("DECLINED")),
      on("20261125", ...people("ACCEPTED")),
    );
    const guest = { email: "guest@acme.io", display_name: null, status: "accepted" };
    expect(seriesAsRead(stale, state)).toMatchObject({
      changed: [],
      replies: [
        { day: "2026-11-26", guests: [ben("declined")] },
        { day: "2026-11-27", guests: [ben("tentative"), guest], own: "declined" },
      ],
    });
  });

  it("are none where everybody comes as to the series, or the occurrence is out", () => {
    const out = on("20261126", ...people("DECLINED"), "STATUS:CANCELLED");
    const state = theirs(["RRULE:FREQ=DAILY", ...people("ACCEPTED")], on("20261125", ...people("ACCEPTED")), out);
    expect(seriesAsRead(stale, state)).not.toHaveProperty("replies");
  });
});
