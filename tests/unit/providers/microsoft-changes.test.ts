import type { Event } from "@microsoft/microsoft-graph-types";
import { describe, expect, it } from "vitest";
import type { Instant } from "@/server/domain/time/instant";
import { ProviderError } from "@/server/providers/connector";
import { changes } from "@/server/providers/microsoft/changes";
import { EVENT_ID_PROPERTY, URL_PROPERTY } from "@/server/providers/microsoft/properties";
import { fakeClock } from "../../fakes/clock";
import type { MicrosoftOptions } from "../../fakes/microsoft/microsoft";
import { adaAtMicrosoft } from "./microsoft-ada";
import { hourOn, storeOf, YEAR_BEGINS } from "./microsoft-store";

async function stored(options: MicrosoftOptions = {}) {
  const ada = await adaAtMicrosoft(options);
  return { ...ada, ...storeOf(ada) };
}

const single = (subject: string, day: number, more: Event = {}): Event => ({ subject, ...hourOn(day), ...more });
const weekly = (subject: string, day = 1): Event => ({
  ...single(subject, day),
  recurrence: {
    pattern: { type: "weekly", interval: 1, daysOfWeek: ["monday"] },
    range: { type: "noEnd", startDate: `2027-03-0${day}` },
  },
});
const asked = (fake: { requests: { method: string; path: string; isPart: boolean }[] }) =>
  fake.requests.filter(({ isPart }) => !isPart).length;
/** The name of the event that is called so. */
const named = (events: ReadonlyMap<string, { state: { summary: string } }>, summary: string) =>
  [...events].find(([, { state }]) => state.summary === summary)?.[0] ?? "";

describe("the first read", () => {
  it("has events and each series once, with what of it is otherwise", async () => {
    const { calendar, events, round, summaries } = await stored();
    calendar.putEvent(single("One", 2));
    const id = calendar.putEvent(weekly("Each Monday"));
    calendar.deleteOccurrence(id, "2027-03-08");
    calendar.changeEvent(calendar.occurrenceId(id, "2027-03-15"), { subject: "This Monday" });
    const { end } = await round();
    expect(summaries()).toEqual(["Each Monday", "One"]);
    expect([...events.values()].find(({ state }) => state.icalRecurrence)?.state.icalRecurrence).toMatchObject({
      rrules: ["FREQ=WEEKLY;BYDAY=MO;WKST=SU"],
      exdates: [{ text: "20270308T090000" }],
      overrides: [{ fields: { summary: "This Monday" } }],
    });
    expect(end).toMatchObject({ window: YEAR_BEGINS, validUntil: null });
    expect([...(end.present ?? [])].sort()).toEqual([...events.keys()].sort());
  });

  it.each<[string, MicrosoftOptions["knobs"]]>([
    ["without the series themselves", { tracksMasters: false }],
    ["with pages that hold nothing", { emptyPages: true }],
    ["with a series on many pages", { splitsSeries: true }],
  ])("is the same from a server that tracks %s", async (_, knobs) => {
    const { fake, calendar, round, summaries } = await stored({ knobs });
    fake.knobs.pageSize = 2;
    for (const day of [2, 3, 4]) calendar.putEvent(single(`On ${day}`, day));
    calendar.putEvent(weekly("Each Monday"));
    await round();
    expect(summaries()).toEqual(["Each Monday", "On 2", "On 3", "On 4"]);
    expect((await round()).read).toEqual([]);
  });

  it("tells apart ids that differ by the case of a letter", async () => {
    const { calendar, events, round } = await stored();
    for (let day = 1; day <= 4; day += 1) calendar.putEvent(single(`On ${day}`, day));
    await round();
    expect(events.size).toBe(4);
    expect(new Set([...events.keys()].map((id) => id.toLowerCase())).size).toBe(2);
  });

  it("skips an event that cannot be read, and no other", async () => {
    const { fake, calendar, round, summaries } = await stored();
    calendar.putEvent(single("Good", 2));
    const id = calendar.putEvent(weekly("Odd"));
    fake.faults.next({
      path: /events\/.+/,
      respond: {
        status: 200,
        body: { id, type: "seriesMaster", recurrence: { pattern: { type: "lunar" } }, start: 5 },
      },
    });
    expect((await round()).faults).toEqual(["unreadable"]);
    expect(summaries()).toEqual(["Good"]);
  });

  it("of 10,000 events, 200 of them series, takes less than 50 requests", async () => {
    const { fake, calendar, events, round } = await stored();
    for (let i = 0; i < 9_800; i += 1) calendar.putEvent(single(`S ${i}`, 1 + (i % 28)));
    for (let i = 0; i < 200; i += 1) calendar.putEvent(weekly(`W ${i}`));
    fake.requests.length = 0;
    await round();
    expect(events.size).toBe(10_000);
    expect(asked(fake)).toBeLessThan(50);
  }, 60_000);
});

describe("a later read", () => {
  it("has what was added, changed and deleted", async () => {
    const { calendar, round, summaries } = await stored();
    const [, changed, deleted] = ["Kept", "Changed", "Deleted"].map((name, i) =>
      calendar.putEvent(single(name, i + 2)),
    );
    await round();
    calendar.changeEvent(changed ?? "", { subject: "Changed once more" });
    calendar.deleteEvent(deleted ?? "");
    calendar.putEvent(single("Added", 9));
    const { read, gone, end } = await round();
    expect({ read: read.sort(), gone: gone.length }).toEqual({ read: ["Added", "Changed once more"], gone: 1 });
    expect(end).toMatchObject({ present: null, window: null });
    expect(summaries()).toEqual(["Added", "Changed once more", "Kept"]);
  });

  it("of nothing new reads nothing, and takes two requests", async () => {
    const { fake, calendar, round } = await stored();
    calendar.putEvent(single("One", 2));
    calendar.putEvent(weekly("Each Monday"));
    await round();
    fake.requests.length = 0;
    expect((await round()).pages).toBe(0);
    expect(asked(fake)).toBe(2);
  });

  it("of nothing new takes two requests however many events came at once before, and misses nothing", async () => {
    const clock = fakeClock();
    const { fake, calendar, events, round } = await stored({ knobs: { deletedOccurrences: "silent" } });
    for (let i = 0; i < 1_200; i += 1) calendar.putEvent(single(`S ${i}`, 1 + (i % 28)));
    const id = calendar.putEvent(weekly("Each Monday"));
    await round();
    clock.advance(6 * 60_000);
    fake.requests.length = 0;
    await round();
    expect(asked(fake)).toBe(2);
    fake.advance(1_000);
    calendar.deleteOccurrence(id, "2027-03-08");
    expect((await round()).read).toEqual(["Each Monday"]);
    const recurrence = events.get(named(events, "Each Monday"))?.state.icalRecurrence;
    expect(recurrence?.exdates).toEqual([{ text: "20270308T090000" }]);
  });

  it.each([true, false])(
    "finds an occurrence that was deleted, though nothing is said of it (series tracked: %s)",
    async (tracksMasters) => {
      const { calendar, events, round } = await stored({ knobs: { deletedOccurrences: "silent", tracksMasters } });
      const id = calendar.putEvent(weekly("Each Monday"));
      await round();
      calendar.deleteOccurrence(id, "2027-03-08");
      expect((await round()).read).toEqual(["Each Monday"]);
      expect([...events.values()][0]?.state.icalRecurrence?.exdates).toEqual([{ text: "20270308T090000" }]);
      expect((await round()).read).toEqual([]);
    },
  );

  it.each([true, false])("finds exceptions and another rule (series tracked: %s)", async (tracksMasters) => {
    const { calendar, events, round } = await stored({ knobs: { tracksMasters } });
    const id = calendar.putEvent(weekly("Each Monday"));
    await round();
    calendar.changeEvent(calendar.occurrenceId(id, "2027-03-15"), { subject: "Other" });
    await round();
    const recurrence = () => [...events.values()][0]?.state.icalRecurrence;
    expect(recurrence()?.overrides).toMatchObject([{ fields: { summary: "Other" } }]);
    calendar.changeEvent(id, {
      recurrence: {
        pattern: { type: "weekly", interval: 2, daysOfWeek: ["monday"] },
        range: { type: "noEnd", startDate: "2027-03-01" },
      },
    });
    await round();
    expect(recurrence()).toMatchObject({ rrules: [expect.stringContaining("INTERVAL=2")], overrides: [] });
    expect(events.size).toBe(1);
  });

  it("takes the last of what is said of one event", async () => {
    const { calendar, round, summaries } = await stored({ knobs: { duplicates: true } });
    const id = calendar.putEvent(single("Before", 2));
    await round();
    calendar.changeEvent(id, { subject: "After" });
    expect((await round()).read).toEqual(["After"]);
    expect(summaries()).toEqual(["After"]);
  });

  it("keeps an event that was moved out of the window, and lets one go that was moved to another calendar", async () => {
    const { fake, calendar, events, round, summaries } = await stored();
    const far = calendar.putEvent(single("Far", 2));
    const away = calendar.putEvent(single("Away", 3));
    await round();
    calendar.changeEvent(far, hourOn(2, 9));
    calendar.moveEvent(away, fake.account("ada@example.com").addCalendar({ name: "Other" }));
    expect((await round()).gone).toHaveLength(1);
    expect(summaries()).toEqual(["Far"]);
    expect([...events.values()][0]?.state.span.starts).toBe(Date.UTC(2027, 9, 2, 9));
  });

  it("keeps a series that has no occurrence in the window any more", async () => {
    const { calendar, round, summaries } = await stored();
    const id = calendar.putEvent(weekly("Each Monday"));
    await round();
    calendar.changeEvent(id, {
      start: { dateTime: "2027-09-06T09:00:00", timeZone: "UTC" },
      end: { dateTime: "2027-09-06T10:00:00", timeZone: "UTC" },
    });
    expect((await round()).gone).toEqual([]);
    expect(summaries()).toEqual(["Each Monday"]);
  });

  it("reads a series again of which one exception alone has another etag", async () => {
    const { fake, calendar, events, round } = await stored();
    const id = calendar.putEvent(weekly("Each Monday"));
    calendar.changeEvent(calendar.occurrenceId(id, "2027-03-15"), { subject: "Other" });
    await round();
    const [[series, { version, parts = {} }] = expect.fail("nothing was read")] = [...events];
    const [part = ""] = Object.keys(parts);
    const deltaLink = { "@odata.deltaLink": `${fake.origin}/v1.0/me/calendarView/delta?$deltatoken=x` };
    const rounds = async (etag: string) => {
      const exception = { id: part, seriesMasterId: series, type: "exception", "@odata.etag": etag };
      const value = [{ id: series, type: "seriesMaster", "@odata.etag": version }, exception];
      fake.faults.next({ path: /delta/, respond: { status: 200, body: { value, ...deltaLink } } });
      fake.requests.length = 0;
      await round();
      return fake.requests.filter(({ path }) => path.endsWith(series)).length;
    };
    expect(await rounds(parts[part] ?? "")).toBe(0);
    expect(await rounds('W/"another"')).toBe(1);
  });

  it("does not read again what is stored, also when Exchange rewrites a change key", async () => {
    const { fake, calendar, round, summaries } = await stored({ knobs: { changeKeySettles: 1_000 } });
    calendar.putEvent(single("One", 2));
    await round();
    fake.advance(2_000);
    expect((await round()).read).toEqual(["One"]);
    expect((await round()).read).toEqual([]);
    expect(summaries()).toEqual(["One"]);
  });

  it.each(["SyncStateNotFound", "syncStateNotFound", "resyncRequired"] as const)(
    "ends where Graph has forgotten the token: %s",
    async (goneCode) => {
      const { calendar, round } = await stored({ knobs: { goneCode } });
      await round();
      calendar.expireDeltaTokens();
      await expect(round()).rejects.toMatchObject({ fault: { kind: "sync_token_expired" } });
    },
  );

  it("ends where Graph refuses the token with 400, or it is none of ours", async () => {
    const { fake, api, calendar, round } = await stored();
    await round();
    const body = { error: { code: "SyncStateNotFound", message: "" } };
    fake.faults.next({ path: /delta/, respond: { status: 400, body } });
    await expect(round()).rejects.toMatchObject({ fault: { kind: "sync_token_expired" } });
    const from = { calendarId: calendar.id, syncToken: "x", window: YEAR_BEGINS, known: async () => new Map() };
    expect(() => changes(api, from)).toThrow(ProviderError);
  });
});

describe("another window", () => {
  const later = { from: Date.UTC(2027, 2, 15) as Instant, to: Date.UTC(2027, 8) as Instant };

  it("leaves no gap, no ghost and no double", async () => {
    const { calendar, round, forget, summaries } = await stored();
    calendar.putEvent(single("Early", 2));
    calendar.putEvent(single("Middle", 20));
    const ended = calendar.putEvent(single("Deleted meanwhile", 21));
    calendar.putEvent({ subject: "Late", ...hourOn(5, 7) });
    calendar.putEvent(weekly("Each Monday"));
    await round();
    expect(summaries()).not.toContain("Late");
    forget();
    calendar.deleteEvent(ended);
    expect((await round(later)).read).toEqual(["Late"]);
    expect(summaries()).toEqual(["Each Monday", "Early", "Late", "Middle"]);
  });

  it("does not take for gone what an application wrote and somebody moved far away", async () => {
    const { calendar, events, round, forget } = await stored();
    const id = calendar.putEvent(
      single("Ours", 20, { singleValueExtendedProperties: [{ id: EVENT_ID_PROPERTY, value: "ours" }] }),
    );
    await round();
    calendar.changeEvent(id, hourOn(2, 10));
    forget();
    expect((await round()).gone).toEqual([]);
    expect([...events.values()][0]?.state.span.starts).toBe(Date.UTC(2027, 10, 2, 9));
  });
});

describe("our own properties", () => {
  const ours = (subject: string, day: number) =>
    single(subject, day, {
      singleValueExtendedProperties: [
        { id: EVENT_ID_PROPERTY, value: subject },
        { id: URL_PROPERTY, value: `https://example.test/${subject}` },
      ],
    });

  it("are read although change tracking does not show them", async () => {
    const { calendar, events, round } = await stored();
    const [one] = ["one", "two"].map((subject, i) => calendar.putEvent(ours(subject, i + 2)));
    calendar.putEvent(single("foreign", 4));
    await round();
    const urls = () => Object.fromEntries([...events.values()].map(({ state }) => [state.summary, state.url]));
    expect(urls()).toEqual({ one: "https://example.test/one", two: "https://example.test/two", foreign: null });
    calendar.changeEvent(one ?? "", { location: { displayName: "Hall" } });
    await round();
    expect(events.get(named(events, "one"))?.state).toMatchObject({
      location: "Hall",
      url: "https://example.test/one",
    });
  });

  it("are read of many events that change at once", async () => {
    const { fake, calendar, events, round } = await stored();
    const ids = Array.from({ length: 100 }, (_, i) => calendar.putEvent(ours(`n${i}`, 1 + (i % 28))));
    await round();
    for (const id of ids) calendar.changeEvent(id, { showAs: "free" });
    fake.requests.length = 0;
    await round();
    expect([...events.values()].filter(({ state }) => state.url && state.transparency === "transparent")).toHaveLength(
      100,
    );
    expect(asked(fake)).toBe(3);
  });
});
