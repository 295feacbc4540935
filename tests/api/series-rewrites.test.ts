import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { calendarChangedAt } from "../fakes/stored";
import { storedOccurrences } from "../fakes/stored-events";
import { NOW, opened } from "./read-under-test";
import {
  type Calendar,
  change,
  daily,
  daysOf,
  eventsOf,
  eventsPath,
  repeating,
  skip,
  stampsOf,
  timesOf,
  updatedBy,
  write,
} from "./written-series";

const DAY_MS = 86_400_000;
const [D1, D2, D3, D4, D5] = ["2025-12-01", "2025-12-02", "2025-12-03", "2025-12-04", "2025-12-05"] as const;
const five = { frequency: "daily", count: 5 };

/** Day, summary of each occurrence. */
async function summariesOf(calendar: Calendar) {
  return (await eventsOf(calendar)).map(({ occurrence_date, summary }) => [occurrence_date, summary]);
}

async function uidsOf(calendar: Calendar): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await eventsOf(calendar)).map(({ occurrence_date = "single", event_uid }) => [occurrence_date, event_uid]),
  );
}

describe("rewriting with recurrence left out", () => {
  it("keeps the repetition and the time zone", async () => {
    const calendar = await opened();
    const times = { start: "2026-03-28T09:00:00+01:00", end: "2026-03-28T09:30:00+01:00" };
    await write(calendar, { ...daily, ...times, ...repeating({ frequency: "daily", count: 3 }) });
    const later = { start: "2026-03-28T10:00:00Z", end: "2026-03-28T11:00:00Z", tzid: undefined };
    await write(calendar, { ...daily, ...later, summary: "Moved" });
    expect(await timesOf(calendar)).toEqual([
      ["2026-03-28", "2026-03-28T10:00:00Z", "2026-03-28T11:00:00Z"],
      ["2026-03-29", "2026-03-29T09:00:00Z", "2026-03-29T10:00:00Z"],
      ["2026-03-30", "2026-03-30T09:00:00Z", "2026-03-30T10:00:00Z"],
    ]);
    const [first] = await eventsOf(calendar);
    expect(first).toMatchObject({ summary: "Moved", recurrence: { rules: [{ frequency: "daily", count: 3 }] } });
  });

  it("takes another time zone when one is sent", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five) });
    const times = { start: "2026-03-07T09:00:00-05:00", end: "2026-03-07T10:00:00-05:00", tzid: "America/New_York" };
    await write(calendar, { ...daily, ...times });
    expect((await eventsOf(calendar)).map(({ start }) => start).slice(0, 2)).toEqual([
      "2026-03-07T14:00:00Z",
      "2026-03-08T13:00:00Z",
    ]);
  });

  it("keeps the exceptions", async () => {
    const calendar = await opened();
    await write(calendar, {
      ...daily,
      ...repeating(five, { add: [{ date: D2 }], change: [{ date: D3, summary: "Other" }] }),
    });
    await write(calendar, { ...daily, summary: "New" });
    expect(await summariesOf(calendar)).toEqual([
      [D1, "New"],
      [D3, "Other"],
      [D4, "New"],
      [D5, "New"],
    ]);
  });

  it("may make a timed series an all-day one and back; a changed time of the other kind goes, its texts stay", async () => {
    const calendar = await opened();
    const changed = { date: D2, start: `${D2}T12:00:00Z`, end: `${D2}T13:00:00Z`, summary: "Other" };
    await write(calendar, { ...daily, ...repeating({ frequency: "daily", count: 2 }, { change: [changed] }) });
    await write(calendar, { ...daily, start: D1, end: D2, tzid: undefined });
    expect(await eventsOf(calendar)).toMatchObject([
      { start: D1, end: D2 },
      { start: D2, end: D3, summary: "Other", occurrence_date: D2 },
    ]);
    await write(calendar, { ...daily, tzid: undefined });
    expect(await timesOf(calendar)).toEqual([D1, D2].map((day) => [day, `${day}T08:00:00Z`, `${day}T08:30:00Z`]));
  });
});

describe("rewriting with exceptions", () => {
  const both = { add: [{ date: D2 }], change: [{ date: D3, summary: "Third" }] };
  it.each([
    ["left out keeps both lists", undefined, { [D1]: "Stand-up", [D3]: "Third", [D4]: "Stand-up", [D5]: "Stand-up" }],
    [
      "add replaces the skipped days and keeps the changed ones",
      { add: [{ date: D5 }] },
      { [D1]: "Stand-up", [D2]: "Stand-up", [D3]: "Third", [D4]: "Stand-up" },
    ],
    [
      "an empty add restores the skipped days",
      { add: [] },
      { [D1]: "Stand-up", [D2]: "Stand-up", [D3]: "Third", [D4]: "Stand-up", [D5]: "Stand-up" },
    ],
    [
      "change replaces the changed days and keeps the skipped ones",
      { change: [{ date: D4, summary: "Fourth" }] },
      { [D1]: "Stand-up", [D3]: "Stand-up", [D4]: "Fourth", [D5]: "Stand-up" },
    ],
    [
      "an empty change takes the changes away",
      { change: [] },
      { [D1]: "Stand-up", [D3]: "Stand-up", [D4]: "Stand-up", [D5]: "Stand-up" },
    ],
    [
      "both replace both",
      { add: [{ date: D1 }], change: [{ date: D5, summary: "Fifth" }] },
      { [D2]: "Stand-up", [D3]: "Stand-up", [D4]: "Stand-up", [D5]: "Fifth" },
    ],
    [
      "add of a changed day skips it",
      { add: [{ date: D3 }] },
      { [D1]: "Stand-up", [D2]: "Stand-up", [D4]: "Stand-up", [D5]: "Stand-up" },
    ],
    [
      "change of a skipped day brings it back",
      { change: [{ date: D2, summary: "Second" }] },
      { [D1]: "Stand-up", [D2]: "Second", [D3]: "Stand-up", [D4]: "Stand-up", [D5]: "Stand-up" },
    ],
  ])("%s", async (_, exceptions, summaries) => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five, both) });
    await write(calendar, { ...daily, ...repeating(five, exceptions) });
    expect(Object.fromEntries(await summariesOf(calendar))).toEqual(summaries);
  });

  it("drops those on days that the new rule no longer has, for good", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five, both) });
    const everyOther = { frequency: "daily", interval: 2, count: 3 };
    await write(calendar, { ...daily, ...repeating(everyOther) });
    expect(await summariesOf(calendar)).toEqual([
      [D1, "Stand-up"],
      [D3, "Third"],
      [D5, "Stand-up"],
    ]);
    await write(calendar, { ...daily, ...repeating(five) });
    expect(await daysOf(calendar)).toEqual([D1, D2, D3, D4, D5]);
  });

  it("a day brought back by a change stays when the change is taken away, and a change that was skipped is forgotten", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five, both) });
    const turned = { add: [{ date: D3 }], change: [{ date: D2, summary: "Second" }] };
    await write(calendar, { ...daily, ...repeating(five, { change: turned.change }) });
    await write(calendar, { ...daily, ...repeating(five, { change: [] }) });
    expect(await daysOf(calendar)).toEqual([D1, D2, D3, D4, D5]);
    await write(calendar, { ...daily, ...repeating(five, { change: both.change }) });
    await write(calendar, { ...daily, ...repeating(five, { add: turned.add }) });
    await write(calendar, { ...daily, ...repeating(five, { add: [] }) });
    expect(new Set((await summariesOf(calendar)).map(([, summary]) => summary))).toEqual(new Set(["Stand-up"]));
  });

  it("changes everything of a day that can be changed", async () => {
    const calendar = await opened();
    const changed = {
      date: D2,
      start: { time: "2025-12-03T18:00:00", tzid: "Europe/Berlin" },
      end: "2025-12-03T18:00:00Z",
      summary: "Other",
      description: "With notes",
      location: { description: "Room 7" },
    };
    await write(calendar, { ...daily, location: { description: "Room 1" }, ...repeating(five, { change: [changed] }) });
    const [first, second] = await eventsOf(calendar);
    expect(first).toMatchObject({ summary: "Stand-up", description: "", location: { description: "Room 1" } });
    const moved = (await eventsOf(calendar)).find(({ occurrence_date }) => occurrence_date === D2);
    expect(moved).toMatchObject({
      start: "2025-12-03T17:00:00Z",
      end: "2025-12-03T18:00:00Z",
      summary: "Other",
      description: "With notes",
      location: { description: "Room 7" },
      series_master: { event_uid: first?.event_uid },
    });
    expect(second?.occurrence_date).toBe(D3);
  });
});

describe("recurrence null", () => {
  it("makes the event single again, also on an event that never repeated", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, recurrence: null });
    expect(await eventsOf(calendar)).toMatchObject([{ recurring: false }]);
    await write(calendar, { ...daily, ...repeating(five) });
    await write(calendar, { ...daily, recurrence: null });
    const [event, ...others] = await eventsOf(calendar);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ recurring: false, start: "2025-12-01T08:00:00Z" });
    expect(event).not.toHaveProperty("series_identifier");
  });

  it("forgets the exceptions", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five, { add: [{ date: D2 }] }) });
    await write(calendar, { ...daily, recurrence: null });
    await write(calendar, { ...daily, ...repeating(five) });
    expect(await daysOf(calendar)).toEqual([D1, D2, D3, D4, D5]);
  });
});

describe("event_uid", () => {
  it("of the single event is the same after it repeated for a while", async () => {
    const calendar = await opened();
    await write(calendar, daily);
    const single = await uidsOf(calendar);
    await write(calendar, { ...daily, ...repeating(five) });
    const series = await uidsOf(calendar);
    await write(calendar, { ...daily, recurrence: null });
    expect(await uidsOf(calendar)).toEqual(single);
    await write(calendar, { ...daily, ...repeating(five) });
    expect(await uidsOf(calendar)).toEqual(series);
  });

  it("of an occurrence stays for as long as its day stays in the series", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five) });
    const before = await uidsOf(calendar);
    const moved = { start: "2025-12-01T20:00:00Z", end: "2025-12-01T21:00:00Z", summary: "Evening" };
    await write(calendar, { ...daily, ...moved, ...repeating({ frequency: "daily", interval: 2, count: 4 }) });
    expect(await uidsOf(calendar)).toEqual({
      [D1]: before[D1],
      [D3]: before[D3],
      [D5]: before[D5],
      "2025-12-07": expect.stringMatching(/^evt_/),
    });
  });

  it("is new after the series was deleted", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five) });
    const before = Object.values(await uidsOf(calendar));
    await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
    expect(await eventsOf(calendar)).toEqual([]);
    expect((await eventsOf(calendar, { include_deleted: "true" })).map(({ deleted }) => deleted)).toEqual(
      Array(5).fill(true),
    );
    await write(calendar, { ...daily, ...repeating(five) });
    const after = Object.values(await uidsOf(calendar));
    expect(after).toHaveLength(5);
    expect(after.filter((uid) => before.includes(uid))).toEqual([]);
  });
});

describe("updated tells the truth per occurrence", () => {
  const series = { ...daily, description: "d", ...repeating(five) };
  const rewritten = (fields: object) => (calendar: Calendar) => write(calendar, { ...series, ...fields });
  it.each<[string, (calendar: Calendar) => Promise<void>, string[]]>([
    ["the same body changes nothing", rewritten({}), []],
    ["the same with recurrence left out changes nothing", rewritten({ recurrence: undefined }), []],
    ["another spelling of the zone changes nothing", rewritten({ tzid: "Europe/Busingen" }), []],
    ["interval 1 said aloud changes nothing", rewritten(repeating({ ...five, interval: 1 })), []],
    ["another summary changes all", rewritten({ summary: "Other" }), [D1, D2, D3, D4, D5]],
    ["another transparency changes all", rewritten({ transparency: "transparent" }), [D1, D2, D3, D4, D5]],
    ["another end changes all", rewritten({ end: "2025-12-01T09:31:00+01:00" }), [D1, D2, D3, D4, D5]],
    [
      "one day less changes that day, and the rule on the first",
      rewritten(repeating({ frequency: "daily", count: 4 })),
      [D1, D5],
    ],
    [
      "one day more comes in, and the rule on the first changes",
      rewritten(repeating({ frequency: "daily", count: 6 })),
      [D1, "2025-12-06"],
    ],
    ["the same days in other words change the first", rewritten(repeating({ frequency: "daily", until: D5 })), [D1]],
    ["a changed day is the only one", (calendar) => change(calendar, D3, { summary: "Other" }), [D3]],
    [
      "a moved day is the only one",
      (calendar) => change(calendar, D3, { start: `${D3}T12:00:00Z`, end: `${D3}T13:00:00Z` }),
      [D3],
    ],
    ["a skipped day is the only one", (calendar) => skip(calendar, D3), [D3]],
    [
      "a skipped first day changes all: series_master is another",
      (calendar) => skip(calendar, D1),
      [D1, D2, D3, D4, D5],
    ],
    [
      "exceptions sent with the series change their days",
      rewritten(repeating(five, { add: [{ date: D2 }], change: [{ date: D4, description: "x" }] })),
      [D2, D4],
    ],
    [
      "a change to what the series says anyway changes nothing visible",
      (calendar) => change(calendar, D3, { start: `${D3}T08:00:00Z`, end: `${D3}T08:30:00Z` }),
      [],
    ],
  ])("%s", async (_, work, days) => {
    const calendar = await opened();
    await write(calendar, series);
    const kept = await stampsOf(calendar);
    expect(new Set(Object.values(kept)).size).toBe(1);
    expect(await updatedBy(calendar, () => work(calendar))).toEqual(days);
  });

  it("and last_modified finds what changed, the skipped day too with include_deleted", async () => {
    const calendar = await opened();
    await write(calendar, series);
    await change(calendar, D3, { summary: "Other" });
    await skip(calendar, D4);
    const occurrence = (await storedOccurrences(calendar.calendarId)).find(({ day }) => day === D3);
    const at = occurrence?.updatedAt ?? "";
    expect(await daysOf(calendar, { last_modified: at })).toEqual([D3]);
    expect(await daysOf(calendar, { last_modified: at, include_deleted: "true" })).toEqual([D3, D4]);
  });
});

describe("a rewrite writes what changes", () => {
  const year = { ...daily, ...repeating({ frequency: "daily", count: 730 }) };

  /** How many rows of occurrences were written during `work`, whatever is in them. */
  async function rowsWritten({ calendarId }: Calendar, work: () => Promise<unknown>): Promise<number> {
    const versions = async () => (await storedOccurrences(calendarId)).map(({ uid, written }) => uid + written);
    const before = new Set(await versions());
    await work();
    return (await versions()).filter((version) => !before.has(version)).length;
  }

  const words: [string, object][] = [
    ["the summary", { summary: "Other" }],
    ["the description, place and url", { description: "x", location: { description: "Room" }, url: "https://acme.io" }],
    ["nothing", {}],
  ];

  it.each(words)("of a series of 730 days nothing but its own row for %s", async (_, changed) => {
    const calendar = await opened();
    await write(calendar, year);
    expect(await rowsWritten(calendar, () => write(calendar, { ...year, ...changed }))).toBe(0);
  });

  it("of a series of 730 days one row for a day that is skipped, whatever else it says", async () => {
    const calendar = await opened();
    await write(calendar, year);
    const skipped = {
      ...year,
      summary: "Other",
      ...repeating({ frequency: "daily", count: 730 }, { add: [{ date: D3 }] }),
    };
    expect(await rowsWritten(calendar, () => write(calendar, skipped))).toBe(1);
  });

  it("and all its occurrences have another `updated`, by which last_modified finds them on every page, but for skipped days", async () => {
    const calendar = await opened();
    await write(calendar, year);
    await write(calendar, { ...daily, event_id: "other", summary: "Untouched" });
    await skip(calendar, D3);
    const all = await daysOf(calendar);

    await write(calendar, { ...daily, summary: "Other" });
    const last_modified = await calendarChangedAt(calendar.calendarId);
    const found = await eventsOf(calendar, { last_modified, include_deleted: "true" });
    expect(found.map(({ occurrence_date }) => occurrence_date)).toEqual(all.filter((day) => day !== undefined));
    expect(new Set(found.map(({ summary, updated }) => [summary, updated].join()))).toEqual(
      new Set([`Other,${last_modified.slice(0, 19)}Z`]),
    );
    await skip(calendar, D5);
    const since = await calendarChangedAt(calendar.calendarId);
    expect(await daysOf(calendar, { last_modified: since, include_deleted: "true" })).toEqual([D5]);
  });
});

describe("include_deleted", () => {
  it("shows skipped days as deleted, and the rule on one occurrence only", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five) });
    await skip(calendar, D1);
    await skip(calendar, D3);
    const events = await eventsOf(calendar, { include_deleted: "true" });
    expect(events.map(({ occurrence_date, deleted }) => [occurrence_date, deleted])).toEqual([
      [D1, true],
      [D2, false],
      [D3, true],
      [D4, false],
      [D5, false],
    ]);
    expect(events.filter((event) => "recurrence" in event).map(({ occurrence_date }) => occurrence_date)).toEqual([D2]);
  });

  it("shows the occurrences of an event that became single, and never a null", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating({ frequency: "daily", count: 2 }) });
    await write(calendar, { ...daily, recurrence: null });
    const events = await eventsOf(calendar, { include_deleted: "true" });
    expect(events.map(({ deleted, recurring }) => [deleted, recurring]).sort()).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
    for (const { series_master } of events) expect(series_master?.event_uid).not.toBeNull();
  });
});

describe("an occurrence moved", () => {
  const endless = { ...daily, ...repeating({ frequency: "weekly" }) };
  const far = { start: "2026-09-01T08:00:00Z", end: "2026-09-01T09:00:00Z" };

  it("out of the read window is not returned, and is not deleted either; it is there when the window comes to it", async () => {
    const calendar = await opened();
    await write(calendar, endless);
    const { "2025-12-08": uid } = await uidsOf(calendar);
    await change(calendar, "2025-12-08", far);
    expect(await daysOf(calendar, { include_deleted: "true" })).not.toContain("2025-12-08");
    fakeClock(NOW + 120 * DAY_MS);
    const event = (await eventsOf(calendar)).find(({ occurrence_date }) => occurrence_date === "2025-12-08");
    expect(event).toMatchObject({ ...far, event_uid: uid });
  });

  it("from beyond the stored window into it is returned; without its change it goes back there", async () => {
    const calendar = await opened();
    await write(calendar, endless);
    const near = { start: "2025-12-05T08:00:00Z", end: "2025-12-05T09:00:00Z" };
    await change(calendar, "2026-08-31", near);
    expect(await timesOf(calendar)).toContainEqual(["2026-08-31", near.start, near.end]);
    await change(calendar, "2026-08-31", { summary: "Other" });
    expect(await daysOf(calendar, { include_deleted: "true" })).not.toContain("2026-08-31");
    fakeClock(NOW + 120 * DAY_MS);
    const event = (await eventsOf(calendar)).find(({ occurrence_date }) => occurrence_date === "2026-08-31");
    expect(event).toMatchObject({ start: "2026-08-31T07:00:00Z", summary: "Other", deleted: false });
  });

  it("from beyond the stored window, then skipped and restored there, is not lost", async () => {
    const calendar = await opened();
    await write(calendar, endless);
    await change(calendar, "2026-08-31", { start: "2025-12-05T08:00:00Z", end: "2025-12-05T09:00:00Z" });
    await skip(calendar, "2026-08-31");
    await write(calendar, { ...daily, ...repeating({ frequency: "weekly" }, { add: [] }) });
    fakeClock(NOW + 120 * DAY_MS);
    expect(await daysOf(calendar)).toContain("2026-08-31");
  });

  it("past the end of its series is still returned", async () => {
    const calendar = await opened();
    await write(calendar, { ...daily, ...repeating(five) });
    await change(calendar, D5, far);
    fakeClock(NOW + 120 * DAY_MS);
    expect(await timesOf(calendar)).toEqual([[D5, far.start, far.end]]);
  });
});
