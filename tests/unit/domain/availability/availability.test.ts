import { describe, expect, it } from "vitest";
import { availability } from "@/server/domain/availability/availability";
import type { Interval } from "@/server/domain/availability/intervals";
import type { Group, Member, OfferFormat, Question } from "@/server/domain/availability/question";
import { type WorkingHours, weekdayNames, workingHours } from "@/server/domain/availability/working-hours";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { seeded } from "@/tests/unit/recurrence/rfc5545/random-rules";
import { namedZone } from "@/tests/unit/time/named-zone";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `2026-11-30T09:00/2026-11-30T10:00`, or `09:00/10:00` on 30 November, in UTC. */
function interval(text: string): Interval {
  const [start = "", end = ""] = text.split("/");
  const at = (time: string) => Date.parse(`${time.length > 5 ? time : `2026-11-30T${time}`}Z`) as Instant;
  return { start: at(start), end: at(end) };
}

function member(...busy: string[]): Member {
  return { busy: busy.map(interval), within: null, isProblem: false };
}

const problem: Member = { busy: [], within: null, isProblem: true };

interface Given extends Partial<Omit<Question, "members" | "periods">> {
  members: Record<string, Member>;
  periods?: string[] | Interval[];
}

/** Asks for an hour that all have free on 30 November, 09:00 to 17:00, unless told otherwise. */
function asked({ members, periods = ["09:00/17:00"], ...more }: Given): string[] {
  const question: Question = {
    groups: [{ members: Object.keys(members), required: "all" }],
    members: new Map(Object.entries(members)),
    periods: periods.map((one) => (typeof one === "string" ? interval(one) : one)),
    durationMs: HOUR_MS,
    before: 0,
    after: 0,
    format: "periods",
    intervalMs: HOUR_MS,
    most: 512,
    ...more,
  };
  const short = (instant: Instant) => formatInstant(instant).slice(0, 16).replace("2026-11-30T", "");
  return availability(question).map(
    ({ start, end, participants }) => `${short(start)}/${short(end)} ${participants.join("+")}`,
  );
}

describe("the periods that a member has free", () => {
  it("are what events leave, where that is as long as asked", () => {
    const ann = member("10:00/10:30", "11:15/12:00", "16:00/18:00");
    expect(asked({ members: { ann } })).toEqual(["09:00/10:00 ann", "12:00/16:00 ann"]);
  });

  it("go on past an event of no length", () => {
    expect(asked({ members: { ann: member("12:00/12:00") } })).toEqual(["09:00/17:00 ann"]);
    const buffers = { before: HOUR_MS, after: HOUR_MS };
    expect(asked({ members: { ann: member("12:00/12:00") }, ...buffers })).toEqual(["09:00/17:00 ann"]);
  });

  it("fit exactly between events that overlap, touch and come in any order", () => {
    const ann = member("13:00/14:00", "09:00/10:00", "14:00/20:00", "11:00/13:00", "11:30/12:00");
    expect(asked({ members: { ann } })).toEqual(["10:00/11:00 ann"]);
    expect(asked({ members: { ann }, durationMs: HOUR_MS + 1 })).toEqual([]);
  });

  it("lie within the member's own time, of which touching parts are one", () => {
    const ann = { ...member(), within: ["12:30/13:30", "10:00/10:45", "13:30/14:00", "16:00/23:00"].map(interval) };
    expect(asked({ members: { ann } })).toEqual(["12:30/14:00 ann", "16:00/17:00 ann"]);
    expect(asked({ members: { ann: { ...ann, within: [] } } })).toEqual([]);
  });

  it("lie within a query period, of which touching and overlapping ones are one", () => {
    const periods = ["12:00/12:30", "09:00/10:00", "12:30/13:00", "12:15/12:45", "15:00/15:59", "16:00/16:00"];
    expect(asked({ members: { ann: member() }, periods })).toEqual(["09:00/10:00 ann", "12:00/13:00 ann"]);
  });
});

describe("buffers", () => {
  it("are free of events, before and after", () => {
    const ann = member("11:00/12:00");
    const [before, after] = [30 * MINUTE_MS, 15 * MINUTE_MS];
    expect(asked({ members: { ann }, before })).toEqual(["09:00/11:00 ann", "12:30/17:00 ann"]);
    expect(asked({ members: { ann }, after })).toEqual(["09:00/10:45 ann", "12:00/17:00 ann"]);
  });

  it("may reach past a query period, and events beyond it count there", () => {
    const ann = member("08:00/08:45", "17:10/18:00");
    const buffers = { before: 15 * MINUTE_MS, after: 15 * MINUTE_MS };
    expect(asked({ members: { ann }, ...buffers })).toEqual(["09:00/16:55 ann"]);
  });

  it("may reach past the member's own time, and past midnight", () => {
    const ann = { ...member("2026-11-29T22:00/2026-11-29T23:45"), within: [interval("00:00/02:00")] };
    const periods = ["2026-11-29T00:00/2026-12-01T00:00"];
    expect(asked({ members: { ann }, periods, before: 30 * MINUTE_MS })).toEqual(["00:15/02:00 ann"]);
    expect(asked({ members: { ann }, periods, before: 15 * MINUTE_MS })).toEqual(["00:00/02:00 ann"]);
    expect(asked({ members: { ann: member("02:00/03:00") }, periods: ["00:00/02:00"], after: HOUR_MS })).toEqual([
      "00:00/01:00 ann",
    ]);
  });

  it("of different slots may overlap", () => {
    const buffers = { before: HOUR_MS, after: HOUR_MS };
    const slots = asked({ members: { ann: member() }, periods: ["09:00/11:00"], format: "slots", ...buffers });
    expect(slots).toEqual(["09:00/10:00 ann", "10:00/11:00 ann"]);
  });
});

describe("groups", () => {
  const members = {
    ann: member("09:00/11:00"),
    bob: member("12:00/13:00"),
    cy: member("10:00/12:00", "15:00/17:00"),
  };
  const all = Object.keys(members);

  it("of whom all are needed have the time that all have", () => {
    expect(asked({ members })).toEqual(["13:00/15:00 ann+bob+cy"]);
  });

  it("of whom n are needed have periods that overlap, each as long as it can be", () => {
    expect(asked({ members, groups: [{ members: all, required: 2 }] })).toEqual([
      "09:00/10:00 bob+cy",
      "11:00/12:00 ann+bob",
      "12:00/15:00 ann+cy",
      "13:00/17:00 ann+bob",
    ]);
    expect(asked({ members, groups: [{ members: all, required: 1 }] })).toEqual(["09:00/12:00 bob", "11:00/17:00 ann"]);
  });

  it("name in an entry those alone who are free for all of it", () => {
    const slot = { groups: [{ members: all, required: 1 }], durationMs: 5 * HOUR_MS };
    expect(asked({ members, ...slot })).toEqual(["11:00/17:00 ann"]);
  });

  it("may share members, who count in each", () => {
    const groups: Group[] = [
      { members: ["bob", "ann"], required: 1 },
      { members: ["cy", "ann"], required: 1 },
    ];
    expect(asked({ members, groups })).toEqual(["09:00/10:00 bob+cy", "11:00/17:00 ann"]);
    expect(asked({ members, groups: [...groups, { members: ["bob"], required: "all" }] })).toEqual([
      "09:00/10:00 bob+cy",
      "11:00/12:00 bob+ann",
      "13:00/17:00 bob+ann",
    ]);
  });

  it("count a member who is listed twice once", () => {
    const twice = ["ann", "ann", "cy"];
    expect(asked({ members, groups: [{ members: twice, required: 2 }] })).toEqual(["12:00/15:00 ann+cy"]);
    expect(asked({ members, groups: [{ members: twice, required: "all" }] })).toEqual(["12:00/15:00 ann+cy"]);
    expect(asked({ members, groups: [{ members: twice, required: 3 }] })).toEqual([]);
  });

  it("that need more than they have are never satisfied", () => {
    const one = { ann: member() };
    for (const format of ["periods", "slots", "overlapping_slots"] as const) {
      expect(asked({ members: one, groups: [{ members: ["ann"], required: 2 }], format })).toEqual([]);
    }
  });

  it("of whom none are needed add those who are free", () => {
    const groups: Group[] = [
      { members: ["ann"], required: "all" },
      { members: ["bob", "cy"], required: 0 },
    ];
    const periods = ["13:00/17:00"];
    expect(asked({ members, groups, periods })).toEqual(["13:00/17:00 ann+bob"]);
    expect(asked({ members, groups, periods, format: "slots", intervalMs: 2 * HOUR_MS })).toEqual([
      "13:00/14:00 ann+bob+cy",
      "15:00/16:00 ann+bob",
    ]);
    expect(asked({ members, groups: [{ members: ["cy"], required: 0 }], periods })).toEqual(["13:00/17:00 "]);
  });

  it("name participants in the order in which they are first mentioned", () => {
    const groups: Group[] = [
      { members: ["cy", "bob"], required: "all" },
      { members: ["ann", "cy"], required: 1 },
    ];
    expect(asked({ members, groups, periods: ["13:00/15:00"] })).toEqual(["13:00/15:00 cy+bob+ann"]);
  });
});

describe("a member about whom too little is known", () => {
  const members = { ann: member(), bob: problem, cy: member("12:00/17:00") };
  const names = [...Object.keys(members), "unknown"];

  it.each(["periods", "slots", "overlapping_slots"] as const)("leaves none to a group that needs all: %s", (format) => {
    expect(asked({ members, format })).toEqual([]);
    expect(asked({ members, format, groups: [{ members: ["ann", "unknown"], required: "all" }] })).toEqual([]);
  });

  it("counts for nobody in a group that needs some", () => {
    expect(asked({ members, groups: [{ members: names, required: 2 }] })).toEqual(["09:00/12:00 ann+cy"]);
    expect(asked({ members, groups: [{ members: names, required: 3 }] })).toEqual([]);
  });
});

describe("slots", () => {
  const ann = member("11:00/12:00");
  const half = { intervalMs: 30 * MINUTE_MS, periods: ["09:00/13:30"] };

  it("that may overlap begin at every interval at which they fit", () => {
    expect(asked({ members: { ann }, format: "overlapping_slots", ...half })).toEqual([
      "09:00/10:00 ann",
      "09:30/10:30 ann",
      "10:00/11:00 ann",
      "12:00/13:00 ann",
      "12:30/13:30 ann",
    ]);
  });

  it("that may not are each the first that fits after the one before", () => {
    expect(asked({ members: { ann }, format: "slots", ...half })).toEqual([
      "09:00/10:00 ann",
      "10:00/11:00 ann",
      "12:00/13:00 ann",
    ]);
  });

  it("begin at multiples of the interval alone, which may be longer than they are", () => {
    const slots = { format: "slots" as OfferFormat, intervalMs: 105 * MINUTE_MS, periods: ["09:00/15:00"] };
    expect(asked({ members: { ann }, ...slots })).toEqual(["09:00/10:00 ann", "12:30/13:30 ann"]);
  });

  it("are counted from the start of each period as it was sent, and may end in the next", () => {
    const periods = ["10:15/12:00", "09:00/10:15"];
    expect(asked({ members: { bob: member() }, format: "overlapping_slots", periods })).toEqual([
      "09:00/10:00 bob",
      "10:00/11:00 bob",
      "10:15/11:15 bob",
    ]);
  });

  it("that two periods begin are one", () => {
    const periods = ["09:00/12:00", "10:00/12:00", "09:00/12:00"];
    expect(asked({ members: { bob: member() }, format: "overlapping_slots", periods })).toHaveLength(3);
  });

  it("name all who are free, not enough alone", () => {
    const members = { ann, bob: member("09:00/10:00"), cy: problem };
    const groups: Group[] = [{ members: ["ann", "bob", "cy"], required: 1 }];
    expect(asked({ members, groups, format: "slots", periods: ["09:00/12:00"] })).toEqual([
      "09:00/10:00 ann",
      "10:00/11:00 ann+bob",
      "11:00/12:00 bob",
    ]);
  });
});

describe("the results", () => {
  it.each([
    ["periods", ["09:00/11:00 ann", "12:00/13:00 ann"]],
    ["slots", ["09:00/10:00 ann", "10:00/11:00 ann"]],
    ["overlapping_slots", ["09:00/10:00 ann", "10:00/11:00 ann"]],
  ] as const)("are the first ones if there are too many: %s", (format, expected) => {
    const given = { members: { ann: member("11:00/12:00", "13:00/14:00") }, format, periods: ["09:00/17:00"] };
    expect(asked({ ...given, most: 2 })).toEqual(expected);
    expect(asked({ ...given, most: 3 })).toHaveLength(3);
    expect(asked(given).slice(0, 2)).toEqual(expected);
  });

  it("are none without a period", () => {
    expect(asked({ members: { ann: member() }, periods: [] })).toEqual([]);
    expect(asked({ members: { ann: member() }, periods: [], format: "slots" })).toEqual([]);
  });
});

describe("working hours of a question", () => {
  const days = (start: string, end: string): WorkingHours[] => weekdayNames.map((day) => ({ day, start, end }));
  const hoursIn = (zone: string, hours: WorkingHours[], period: string) =>
    workingHours(hours, namedZone(zone), interval(period));
  const slots = { members: { ann: member() }, format: "slots" as OfferFormat };

  it("hold fewer slots on the night when clocks are set forward", () => {
    const periods = hoursIn("Europe/Berlin", days("01:30", "04:30"), "2026-03-28T23:00/2026-03-29T22:00");
    expect(asked({ ...slots, periods })).toEqual([
      "2026-03-29T00:30/2026-03-29T01:30 ann",
      "2026-03-29T01:30/2026-03-29T02:30 ann",
    ]);
  });

  it("hold more slots on the night when clocks are set back", () => {
    const periods = hoursIn("Europe/Berlin", days("02:00", "04:00"), "2026-10-24T22:00/2026-10-25T23:00");
    expect(asked({ ...slots, periods })).toEqual([
      "2026-10-25T00:00/2026-10-25T01:00 ann",
      "2026-10-25T01:00/2026-10-25T02:00 ann",
      "2026-10-25T02:00/2026-10-25T03:00 ann",
    ]);
  });

  it("start slots, whatever minute of the hour that is in UTC", () => {
    const periods = hoursIn("Asia/Kathmandu", days("09:00", "11:00"), "2026-11-30T00:00/2026-12-01T00:00");
    expect(asked({ ...slots, periods })).toEqual(["03:15/04:15 ann", "04:15/05:15 ann"]);
  });

  it("from Monday to Friday in Kiritimati and Pago Pago share seven hours on four days", () => {
    const week = days("09:00", "17:00").slice(0, 5);
    const period = "2026-11-28T00:00/2026-12-07T00:00";
    const ann = { ...member(), within: hoursIn("Pacific/Kiritimati", week, period) };
    const bob = { ...member(), within: hoursIn("Pacific/Pago_Pago", week, period) };
    expect(asked({ members: { ann, bob }, periods: [period] })).toEqual([
      "20:00/2026-12-01T03:00 ann+bob",
      "2026-12-01T20:00/2026-12-02T03:00 ann+bob",
      "2026-12-02T20:00/2026-12-03T03:00 ann+bob",
      "2026-12-03T20:00/2026-12-04T03:00 ann+bob",
    ]);
  });

  it("let a slot lie across midnight, with buffers past the hours", () => {
    const hours: WorkingHours[] = [
      { day: "sunday", start: "23:00", end: "24:00" },
      { day: "monday", start: "00:00", end: "01:00" },
    ];
    const periods = hoursIn("Africa/Lagos", hours, "2026-11-29T00:00/2026-12-01T00:00");
    const ann = member("2026-11-29T21:00/2026-11-29T21:45", "00:15/01:00");
    const buffers = { before: 15 * MINUTE_MS, after: 15 * MINUTE_MS };
    const given = { members: { ann }, periods, durationMs: 2 * HOUR_MS, ...buffers };
    expect(asked(given)).toEqual(["2026-11-29T22:00/00:00 ann"]);
    expect(asked({ ...given, before: 16 * MINUTE_MS })).toEqual([]);
    expect(asked({ ...given, after: 16 * MINUTE_MS })).toEqual([]);
  });
});

describe("a large question", () => {
  /** 50 members in 10 groups, 35 days, 2,000 events. */
  function large(format: OfferFormat, required: Group["required"], perGroup: number): Question {
    const random = seeded(1);
    const start = interval("00:00/00:00").start;
    const names = Array.from({ length: 50 }, (_, index) => `m${index}`);
    const event = (): Interval => {
      const from = start + Math.floor(random() * 35 * 96) * 15 * MINUTE_MS;
      return { start: from as Instant, end: (from + (1 + Math.floor(random() * 8)) * 15 * MINUTE_MS) as Instant };
    };
    const busy = () => Array.from({ length: 40 }, event);
    return {
      groups: Array.from({ length: 10 }, (_, group) => ({
        members: Array.from({ length: perGroup }, (_, index) => names[(group * 5 + index) % 50] ?? ""),
        required,
      })),
      members: new Map(names.map((name) => [name, { busy: busy(), within: null, isProblem: false }])),
      periods: [{ start, end: (start + 35 * DAY_MS) as Instant }],
      durationMs: 30 * MINUTE_MS,
      before: 5 * MINUTE_MS,
      after: 5 * MINUTE_MS,
      format,
      intervalMs: MINUTE_MS,
      most: 512,
    };
  }

  it.each([
    ["periods", "all", 5],
    ["periods", 3, 5],
    ["periods", 25, 50],
    ["slots", 3, 5],
    ["slots", 45, 50],
    ["overlapping_slots", 3, 5],
    ["overlapping_slots", "all", 5],
  ] as const)("takes few milliseconds: %s, %s of %i", (format, required, perGroup) => {
    const question = large(format, required, perGroup);
    const times = Array.from({ length: 9 }, () => {
      const began = performance.now();
      availability(question);
      return performance.now() - began;
    });
    // The best of several: the machine does other things, too.
    expect(Math.min(...times)).toBeLessThan(50);
  });
});
