import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { knownNames, knownVersions, sweepGone } from "@/server/store/events/known-versions";
import { storedCalendar } from "../fakes/stored";
import { eventIds, setPushed, storedEvents, storedOccurrences } from "../fakes/stored-events";
import { changeWrites, dropWrites, storedWrites } from "../fakes/stored-writes";
import { dayFromNow } from "./dates";
import { at, changesOf, endFirstSync, icalSeries, receive, state } from "./event-states";
import { providerCalendar } from "./provider-calendar";
import { type Calendar, eventsOf, eventsPath, repeating, stampsOf, write } from "./written-series";

const HOUR = 3_600_000;
const meeting = {
  event_id: "series",
  summary: "Ours",
  start: `${dayFromNow(1)}T09:00:00Z`,
  end: `${dayFromNow(1)}T10:00:00Z`,
};
const organizer = { email: "ada@acme.io", display_name: "Ada Fonda" };
/** What the provider says of the meeting as it was written. */
const said: Partial<EventState> = { summary: "Ours", organizer };
const guest = (name: string, status: "needs_action" | "accepted" | "declined") => ({
  email: `${name}@acme.io`,
  display_name: null,
  status,
});
const invite = (...names: string[]) => ({ invite: names.map((name) => ({ email: `${name}@acme.io` })) });

async function ownCalendar() {
  const calendar = await providerCalendar("icloud");
  await endFirstSync(calendar);
  return calendar;
}

/** The provider has all that was written so far. */
async function isPushed({ calendarId }: Calendar, version = "v1"): Promise<void> {
  await setPushed(calendarId, version);
  await dropWrites(calendarId);
}

/** A calendar with the meeting, which its provider has. */
async function withMeeting(more: object = {}) {
  const calendar = await ownCalendar();
  await write(calendar, { ...meeting, ...more });
  await isPushed(calendar);
  return calendar;
}

async function remove(calendar: Calendar): Promise<void> {
  await calendar.remove(eventsPath(calendar.calendarId), { event_id: "series" });
}

const etagOf = async ({ calendarId }: Calendar) => (await storedEvents(calendarId))[0]?.etag;

describe("an event of the application that its provider says back", () => {
  it("is an echo when it says the same: only its version is noted", async () => {
    const calendar = await withMeeting();
    const before = await stampsOf(calendar);
    await receive(calendar, { "/series.ics": { ...said, tzid: "Etc/UTC", organizer: null, version: "v2" } });
    expect(await stampsOf(calendar)).toEqual(before);
    expect(await changesOf(calendar)).toEqual([]);
    expect(await etagOf(calendar)).toBe("v2");
  });

  it("is an echo when its provider calls the calendar's owner by another name", async () => {
    const calendar = await withMeeting();
    const before = await stampsOf(calendar);
    const named = { email: organizer.email, display_name: "A. Fonda" };
    await receive(calendar, { "/series.ics": { ...said, tzid: "Etc/UTC", organizer: named, version: "v2" } });
    expect(await stampsOf(calendar)).toEqual(before);
    expect(await changesOf(calendar)).toEqual([]);
  });

  it("in the version that is known is not looked at", async () => {
    const calendar = await withMeeting();
    await receive(calendar, { "/series.ics": { summary: "Never read", version: "v1" } });
    expect(await eventsOf(calendar)).toMatchObject([{ summary: "Ours" }]);
  });

  it("as others changed it stays the application's, and is notified as such", async () => {
    const calendar = await withMeeting();
    await receive(calendar, { "/series.ics": { ...said, summary: "Theirs", version: "v2" } });
    const events = await eventsOf(calendar, { only_managed: "true" });
    expect(events).toMatchObject([{ summary: "Theirs", event_id: "series", options: { update: true, delete: true } }]);
    expect(await changesOf(calendar)).toMatchObject([{ managed: true }]);
  });

  it("is gone when others deleted it", async () => {
    const calendar = await withMeeting();
    await receive(calendar, {}, { gone: ["/series.ics"] });
    expect(await eventsOf(calendar)).toEqual([]);
    expect(await changesOf(calendar)).toMatchObject([{ managed: true }]);
  });

  it("and back after it was gone, has its event_id again, unless that was used for another", async () => {
    const calendar = await withMeeting();
    await receive(calendar, {}, { gone: ["/series.ics"] });
    await receive(calendar, { "/series.ics": { ...said, version: "v2" } });
    expect(await eventsOf(calendar)).toMatchObject([{ event_id: "series" }]);
    await receive(calendar, {}, { gone: ["/series.ics"] });
    await write(calendar, { ...meeting, summary: "Another" });
    await receive(calendar, { "/series.ics": { ...said, version: "v3" } });
    const events = await eventsOf(calendar);
    expect(events.map(({ summary, event_id }) => [summary, event_id]).sort()).toEqual([
      ["Another", "series"],
      ["Ours", undefined],
    ]);
  });
});

describe("a series of the application that its provider says back", () => {
  const series = { ...meeting, tzid: "Etc/UTC", ...repeating({ frequency: "daily", count: 4 }) };
  const told = { ...said, icalRecurrence: icalSeries() };

  it("keeps its rule when the provider says the same repetition", async () => {
    const calendar = await withMeeting(series);
    const before = await stampsOf(calendar);
    await receive(calendar, { "/series.ics": { ...told, version: "v2" } }, { keepsSeries: (own) => own.ruleSeries });
    expect(await stampsOf(calendar)).toEqual(before);
    await receive(
      calendar,
      { "/series.ics": { ...told, summary: "Theirs", version: "v3" } },
      { keepsSeries: (own) => own.ruleSeries },
    );
    const events = await eventsOf(calendar);
    expect(events.map(({ summary }) => summary)).toEqual(Array(4).fill("Theirs"));
    expect(events[0]).toMatchObject({ event_id: "series", recurrence: { rules: [{ frequency: "daily", count: 4 }] } });
  });

  it("is read as the provider repeats it when others changed that", async () => {
    const calendar = await withMeeting(series);
    const weekly = { ...told, icalRecurrence: icalSeries({ rrules: ["FREQ=WEEKLY;COUNT=2"] }) };
    await receive(calendar, { "/series.ics": { ...weekly, version: "v2" } }, { keepsSeries: () => null });
    const events = await eventsOf(calendar);
    expect(events.map(({ occurrence_date }) => occurrence_date)).toEqual([1, 8].map(dayFromNow));
    for (const event of events) {
      expect(event).toMatchObject({ event_id: "series", recurring: true });
      expect(event).not.toHaveProperty("recurrence");
    }
    expect(await changesOf(calendar)).toMatchObject([{ managed: true }]);
  });

  it("goes on repeating as others changed it when the application writes it again without recurrence", async () => {
    const calendar = await withMeeting(series);
    const weekly = { ...told, icalRecurrence: icalSeries({ rrules: ["FREQ=WEEKLY;COUNT=2"] }) };
    await receive(calendar, { "/series.ics": { ...weekly, version: "v2" } }, { keepsSeries: () => null });
    await write(calendar, { ...meeting, tzid: "Etc/UTC", summary: "Ours, renamed" });
    const events = await eventsOf(calendar);
    expect(events.map(({ summary }) => summary)).toEqual(["Ours, renamed", "Ours, renamed"]);
    expect(events.map(({ occurrence_date }) => occurrence_date)).toEqual([1, 8].map(dayFromNow));
    await write(calendar, { ...meeting, recurrence: null });
    expect(await eventsOf(calendar)).toHaveLength(1);
  });

  it("keeps its rule, with a day that others took out of it", async () => {
    const calendar = await withMeeting(series);
    const skipped = dayFromNow(2);
    await receive(
      calendar,
      { "/series.ics": { ...told, version: "v2" } },
      { keepsSeries: (own) => own.ruleSeries && { ...own.ruleSeries, skipped: [skipped] } },
    );
    const events = await eventsOf(calendar);
    expect(events.map(({ occurrence_date }) => occurrence_date)).toEqual([1, 3, 4].map(dayFromNow));
    expect(events[0]).toHaveProperty("recurrence");
  });
});

describe("an event that its provider has not heard yet", () => {
  it("keeps what the application said, with the replies and guests that the provider has", async () => {
    const calendar = await withMeeting({ attendees: invite("ada", "bob") });
    await write(calendar, {
      ...meeting,
      summary: "Ours, newer",
      attendees: { ...invite("cid"), remove: [{ email: "bob@acme.io" }] },
    });
    const attendees = [guest("ada", "accepted"), guest("bob", "declined"), guest("forwarded", "accepted")];
    await receive(calendar, { "/series.ics": { ...said, summary: "Theirs", attendees, version: "v2" } });
    expect(await eventsOf(calendar)).toMatchObject([
      {
        summary: "Ours, newer",
        attendees: [guest("ada", "accepted"), guest("cid", "needs_action"), guest("forwarded", "accepted")],
      },
    ]);
    expect(await etagOf(calendar)).toBe("v2");
    expect(await changesOf(calendar)).toMatchObject([{ managed: true }]);
    expect(await storedWrites(calendar.calendarId)).toHaveLength(1);
  });

  it("is no news when nobody replied", async () => {
    const calendar = await withMeeting();
    await write(calendar, { ...meeting, summary: "Ours, newer" });
    await receive(calendar, { "/series.ics": { ...said, version: "v2" } });
    expect(await changesOf(calendar)).toEqual([]);
  });

  it("says what the provider says once that has refused it for good", async () => {
    const calendar = await withMeeting();
    await write(calendar, { ...meeting, summary: "Refused" });
    await changeWrites(calendar.calendarId, { refusedAt: new Date() });
    await receive(calendar, { "/series.ics": { ...said, version: "v2" } });
    expect(await eventsOf(calendar)).toMatchObject([{ summary: "Ours" }]);
  });

  it("stays when others deleted it: the provider makes it again", async () => {
    const calendar = await withMeeting();
    await write(calendar, { ...meeting, summary: "Ours, newer" });
    await receive(calendar, {}, { gone: ["/series.ics"] });
    expect(await eventsOf(calendar)).toMatchObject([{ summary: "Ours, newer" }]);
    expect(await etagOf(calendar)).toBeNull();
    expect(await storedWrites(calendar.calendarId)).toHaveLength(1);
    expect(await changesOf(calendar)).toEqual([]);
  });

  it("does not come back when it is deleted, whatever the provider still says", async () => {
    const calendar = await withMeeting();
    await remove(calendar);
    await receive(calendar, { "/series.ics": { ...said, summary: "Theirs", version: "v2" } });
    expect(await eventsOf(calendar)).toEqual([]);
    expect(await etagOf(calendar)).toBe("v2");
    expect(await storedWrites(calendar.calendarId)).toHaveLength(1);
  });

  it("need not be deleted at the provider when it is gone there", async () => {
    const calendar = await withMeeting();
    await remove(calendar);
    await receive(calendar, {}, { gone: ["/series.ics"] });
    expect(await storedWrites(calendar.calendarId)).toEqual([]);
    expect(await changesOf(calendar)).toEqual([]);
  });

  it.each<[string, (row: string) => string]>([
    ["row", (row) => `/cal/${row}.ics`],
    ["row's digest", (row) => `/cal/${createHash("sha256").update(row).digest("hex")}.ics`],
  ])("and whose push was lost on its way back is known by its name, made of the %s", async (_, nameOf) => {
    const calendar = await ownCalendar();
    await write(calendar, meeting);
    const [id] = await eventIds(calendar.calendarId);
    const name = nameOf(id ?? "");
    await receive(calendar, { [name]: { ...said, version: "v1" }, "/other.ics": { version: "v1" } });
    expect((await eventsOf(calendar)).map(({ event_id }) => event_id).sort()).toEqual(["series", undefined]);
    expect(await knownVersions(db(), calendar.calendarId, [name])).toEqual(
      new Map([[name, { version: "v1", parts: {} }]]),
    );
    expect(await storedWrites(calendar.calendarId)).toHaveLength(1);
  });
});

describe("a sync that takes long", () => {
  const now = Date.now() as Instant;

  it("does not undo what was pushed since it read an event", async () => {
    const calendar = await withMeeting();
    const seen = await knownVersions(db(), calendar.calendarId, ["/series.ics"]);
    await write(calendar, { ...meeting, summary: "Ours, newer" });
    await isPushed(calendar, "v3");
    await receive(calendar, { "/series.ics": { ...said, version: "v2" } }, { seen });
    expect(await eventsOf(calendar)).toMatchObject([{ summary: "Ours, newer" }]);
    await remove(calendar);
    await isPushed(calendar, "v3");
    await receive(calendar, { "/series.ics": { ...said, version: "v2" } }, { seen });
    expect(await eventsOf(calendar)).toEqual([]);
  });

  it("sweeps out what is gone, but neither what was pushed in the meantime nor what the provider has not heard", async () => {
    const calendar = await withMeeting();
    await receive(calendar, { "/stays.ics": {}, "/gone.ics": {} });
    const known = await knownNames(db(), calendar.calendarId);
    expect(known).toEqual(new Set(["/series.ics", "/stays.ics", "/gone.ics"]));
    await write(calendar, { ...meeting, event_id: "meanwhile" });
    await isPushed(calendar);
    await write(calendar, { ...meeting, event_id: "unheard" });
    await write(calendar, { ...meeting, summary: "Ours, newer" });
    await sweepGone(db(), { calendarId: calendar.calendarId, present: new Set(["/stays.ics"]), known, now });
    const left = (await eventsOf(calendar)).map(({ event_id, summary }) => event_id ?? summary);
    expect(left.sort()).toEqual(["Theirs", "meanwhile", "series", "unheard"]);
    expect(await knownNames(db(), calendar.calendarId)).toEqual(
      new Set(["/series.ics", "/stays.ics", "/meanwhile.ics"]),
    );
  });
});

describe("a change signal", () => {
  it("is one for many events, from the earliest on; two when events of the application are among them", async () => {
    const calendar = await withMeeting();
    const many = Array.from({ length: 150 }, (_, i) => [`/${i}.ics`, {}]);
    await receive(calendar, Object.fromEntries(many));
    const [first, ...others] = await changesOf(calendar);
    expect(first).toMatchObject({ managed: false });
    expect(others).toEqual([]);
    const stamps = Object.values(await stampsOf(calendar)).map((stamp) => Date.parse(stamp));
    expect(first?.at).toBeLessThanOrEqual(Math.max(...stamps));
    await receive(calendar, {
      "/1.ics": { summary: "1" },
      "/2.ics": { summary: "2" },
      "/series.ics": { summary: "3" },
    });
    const { json } = await calendar.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" });
    const updated = json.events
      .filter(({ summary }: { summary: string }) => /^[123]$/.test(summary))
      .map((event: { updated: string }) => Date.parse(event.updated));
    const signals = (await changesOf(calendar)).slice(1);
    expect(signals.map(({ managed }) => managed).sort()).toEqual([false, true]);
    expect(updated).toHaveLength(3);
    for (const { at: since } of signals)
      expect(Math.floor(since / 1000) * 1000).toBeLessThanOrEqual(Math.min(...updated));
  });

  it("is none during a first sync, and none when nothing changed", async () => {
    const calendar = await providerCalendar("icloud");
    await receive(calendar, { a: {}, b: {} });
    expect(await changesOf(calendar)).toEqual([]);
    await endFirstSync(calendar);
    await receive(calendar, { a: { version: "v1" }, b: {} }, { gone: ["never there"] });
    expect(await changesOf(calendar)).toEqual([]);
  });
});

describe("many events at once", () => {
  it("are all taken but the one that is bad", async () => {
    const calendar = await ownCalendar();
    const many = Array.from({ length: 450 }, (_, i): [string, Partial<EventState>] => {
      const starts = at(1 + (i % 100)) as Instant;
      const span = { starts, ends: (starts + HOUR) as Instant, allDay: false };
      return [`/${i}.ics`, { summary: i === 222 ? "a\u0000b" : `Event ${i}`, span }];
    });
    const faults = await receive(calendar, Object.fromEntries(many));
    expect(faults.map(({ externalId }) => externalId)).toEqual(["/222.ics"]);
    expect(await eventsOf(calendar)).toHaveLength(449);
  });

  it("that are series of many occurrences are all there", async () => {
    const calendar = await ownCalendar();
    const hourly = (i: number) => icalSeries({ rrules: ["FREQ=HOURLY"], start: (at(1) + i) as number as LocalTime });
    const many = Array.from({ length: 4 }, (_, i): [string, Partial<EventState>] => [
      `/${i}.ics`,
      { icalRecurrence: hourly(i) },
    ]);
    expect(await receive(calendar, Object.fromEntries(many))).toEqual([]);
    const masters = (await storedOccurrences(calendar.calendarId)).map(({ masterId }) => masterId);
    expect(new Set(masters).size).toBe(4);
    for (const id of new Set(masters)) expect(masters.filter((each) => each === id).length).toBeGreaterThan(200 * 24);
    expect((await storedCalendar(calendar.calendarId)).coveredUntil).toBeInstanceOf(Date);
  });

  it("of which one is told twice is one event, as it was told last", async () => {
    const calendar = await ownCalendar();
    const told = (externalId: string, summary: string) => ({ externalId, version: null, state: state({ summary }) });
    const events = [told("a", "First"), told("b", "Gone"), told("a", "Last")];
    await receive(calendar, {}, { events, gone: ["b"] });
    expect(await eventsOf(calendar)).toMatchObject([{ summary: "Last" }]);
  });
});
