import type { Event } from "@microsoft/microsoft-graph-types";
import { Temporal } from "temporal-polyfill";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { ADA, BOB, type MicrosoftScene, sent, syncedMicrosoft, timed } from "./microsoft-scene";
import { day, ours, watch } from "./world";

/*
 * What synchronisations with calendar providers get wrong again and again, and the test that would have shown it for Microsoft.
 *
 *  1 A series shifts by an hour with daylight saving time        here, "times of day"
 *  2 An all-day event is a day early, or no busy time            microsoft-odd-events.test: "an event of whole days"; here, "times of day"
 *  3 An expired sync token is taken for "no changes"             here, "a token that Graph has forgotten"
 *  4 A revoked grant stops the calendar without a word           here, "a user who takes our access away"
 *  5 A channel ends, is doubled, or notifies after its end       microsoft-watches.test
 *  6 A notice is expected to have a body, or a state             microsoft-watches.test
 *  7 Cancelled or moved occurrences are missing                  microsoft-series.test; here, "an occurrence"
 *  8 Occurrences come without their texts, or twice in a round   here, "an occurrence", "an event that comes twice"
 *  9 What lies beyond a window never comes                       microsoft-windows.test
 * 10 Duplicates after a reconnection or a full sync              here, "a user who takes our access away"
 * 11 Invitations twice, or against the application's will        contract/lost-responses: "Emails"
 * 12 Names of time zones that are not IANA's                     microsoft-odd-events.test: "a time zone"; here, "times of day"
 * 13 A meeting link goes with the next write                     here, "the meeting link"
 * 14 Storms of 412, and what others changed is lost              here, "a write"
 * 15 UNTIL in another zone, times in GMT, one odd rule           here, "times of day"; microsoft-odd-events.test
 */

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const BERLIN = "W. Europe Standard Time";
const time = (offset: number, clock = "10:00", timeZone = BERLIN) => ({
  dateTime: `${day(offset)}T${clock}:00`,
  timeZone,
});
const hour = (offset: number, timeZone = BERLIN) => ({
  start: time(offset, "10:00", timeZone),
  end: time(offset, "11:00", timeZone),
});
const everyWeek = (offset: number, range: object = { type: "noEnd" }): Event["recurrence"] => ({
  pattern: { type: "daily", interval: 7 },
  range: { ...range, startDate: day(offset) },
});
const each = (offset: number, numberOfOccurrences: number): Event["recurrence"] => ({
  pattern: { type: "daily", interval: 1 },
  range: { type: "numbered", numberOfOccurrences, startDate: day(offset) },
});
const filled = (events: Event[], options: MicrosoftScene = {}) =>
  syncedMicrosoft({
    ...options,
    fill: ({ primary }) => {
      for (const event of events) primary.putEvent(event);
    },
  });

/** A time of day in a zone as UTC has it, by another library than ours. */
function inUtc(date: string, clock: string, zone: string): string {
  const instant = Temporal.PlainDateTime.from(`${date}T${clock}`).toZonedDateTime(zone).toInstant();
  return instant.toString({ smallestUnit: "second" });
}

type Read = { start: string; occurrence_date: string; event_uid: string; summary: string };

describe("times of day", () => {
  /** So many weeks have a change of Berlin's clocks among them, whatever day it is. */
  const WEEKS = 34;
  const dates = Array.from({ length: WEEKS }, (_, week) => day(-40 + 7 * week));
  const wide = { from: day(-41), to: day(195) };

  it.each([
    ["W. Europe Standard Time", "Europe/Berlin"],
    ["Eastern Standard Time", "America/New_York"],
    ["AUS Eastern Standard Time", "Australia/Sydney"],
  ])("of a weekly meeting stay when the clocks change: %s", async (name, zone) => {
    const { person, calendarId } = await filled([{ subject: "W", ...hour(-40, name), recurrence: everyWeek(-40) }]);
    const events: Read[] = await person.events(calendarId, wide);
    expect(events.map(({ start }) => start)).toEqual(dates.map((date) => inUtc(date, "10:00", zone)));
    expect(new Set(events.map(({ start }) => start.slice(10))).size).toBe(2);
  });

  it("of a weekly meeting of the application's stay when the clocks change, there and here", async () => {
    const { fake, person, calendar, calendarId, path } = await syncedMicrosoft();
    const zoned = (clock: string) => ({ time: `${day(-40)}T${clock}:00`, tzid: "Europe/Berlin" });
    const recurrence = { rules: [{ frequency: "weekly", count: WEEKS }] };
    await person.post(path, ours("w", { start: zoned("10:00"), end: zoned("11:00"), recurrence }));
    await person.push();
    await person.sync();
    const expected = dates.map((date) => inUtc(date, "10:00", "Europe/Berlin"));
    const [master] = calendar.events();
    const range = new URLSearchParams({ startDateTime: day(-45), endDateTime: day(240), $top: "100" });
    const response = await fetch(`${fake.origin}/v1.0/me/events/${master?.id}/instances?${range}`, {
      headers: { authorization: `Bearer ${fake.accessToken(ADA)}` },
    });
    const { value } = (await response.json()) as { value: { start: { dateTime: string } }[] };
    expect(value.map(({ start }) => `${start.dateTime.slice(0, 19)}Z`)).toEqual(expected);
    const events: Read[] = await person.events(calendarId, wide);
    expect(events.map(({ start }) => start)).toEqual(expected);
  });

  it("of whole days are none: what the application writes keeps its date, whatever the mailbox's zone", async () => {
    const accounts = [{ email: ADA, timeZone: "Hawaiian Standard Time" }];
    const { person, calendar, calendarId, path } = await syncedMicrosoft({ accounts });
    await person.post(path, ours("away", { start: day(8), end: day(10) }));
    await person.push();
    expect(calendar.events()[0]).toMatchObject({
      isAllDay: true,
      start: { dateTime: `${day(8)}T00:00:00.0000000` },
      end: { dateTime: `${day(10)}T00:00:00.0000000` },
    });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ start: day(8), end: day(10) }]);
  });

  it("in an evening of New York end with the last day of the rule, though it is another day in UTC", async () => {
    const zone = "Eastern Standard Time";
    const evening = { start: time(2, "21:00", zone), end: time(2, "22:00", zone) };
    const recurrence: Event["recurrence"] = {
      pattern: { type: "daily", interval: 1 },
      range: { type: "endDate", startDate: day(2), endDate: day(4) },
    };
    const { person, calendarId } = await filled([{ subject: "Evening", ...evening, recurrence }]);
    const events: Read[] = await person.events(calendarId);
    expect(events.map(({ occurrence_date }) => occurrence_date)).toEqual([2, 3, 4].map(day));
  });
});

describe("a token that Graph has forgotten", () => {
  it.each(["SyncStateNotFound", "resyncRequired"] as const)("has the calendar read anew: %s", async (goneCode) => {
    const set = await filled(
      [
        { subject: "Goes", ...hour(2) },
        { subject: "Stays", ...hour(3) },
      ],
      { knobs: { goneCode } },
    );
    const { person, calendar, summaries } = set;
    calendar.deleteEvent(calendar.events()[0]?.id ?? "");
    calendar.putEvent({ subject: "Comes", ...hour(4) });
    calendar.expireDeltaTokens();
    await person.sync();
    expect(await summaries()).toEqual(["Stays", "Comes"]);
    calendar.putEvent({ subject: "Later", ...hour(5) });
    await person.sync();
    expect(await summaries()).toEqual(["Stays", "Comes", "Later"]);
  });
});

describe("an occurrence", () => {
  it("has the texts of its series, is where the user moves it, and is gone when they cancel it", async () => {
    const texts = { body: { contentType: "text" as const, content: "Agenda" }, location: { displayName: "Room 1" } };
    const knobs = { deletedOccurrences: "silent" as const, tracksMasters: false };
    const event = { subject: "Daily", ...texts, ...hour(2), recurrence: each(2, 3) };
    const { person, calendar, calendarId } = await filled([event], { knobs });
    const id = calendar.events()[0]?.id ?? "";
    const shown = async () => {
      await person.sync();
      const events: Read[] = await person.events(calendarId);
      for (const one of events)
        expect(one).toMatchObject({ summary: "Daily", description: "Agenda", location: { description: "Room 1" } });
      return events.map(({ occurrence_date, start }) => [occurrence_date, start]);
    };
    const at = (offset: number, clock: string) => [day(offset), inUtc(day(offset), clock, "Europe/Berlin")];
    expect(await shown()).toEqual([2, 3, 4].map((offset) => at(offset, "10:00")));
    calendar.moveOccurrence(id, day(3), { start: time(3, "15:00"), end: time(3, "16:00") });
    expect(await shown()).toEqual([at(2, "10:00"), at(3, "15:00"), at(4, "10:00")]);
    calendar.deleteOccurrence(id, day(3));
    expect(await shown()).toEqual([at(2, "10:00"), at(4, "10:00")]);
  });
});

it("an event that comes twice in a round is what the last one says", async () => {
  const { person, calendar, calendarId } = await filled([{ subject: "First", ...hour(2) }], {
    knobs: { duplicates: true, pageSize: 1 },
  });
  const { settled } = await watch(person, receiver);
  calendar.changeEvent(calendar.events()[0]?.id ?? "", { subject: "Second", ...hour(3) });
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Second" }]);
  expect(await settled()).toEqual(["change"]);
});

describe("a user who takes our access away", () => {
  it("is reported to the application once, and has every event once when they connect again", async () => {
    const daily = { subject: "Daily", ...hour(3), recurrence: each(3, 3) };
    const { fake, person, calendar, calendarId, path } = await filled([{ subject: "Single", ...hour(2) }, daily]);
    calendar.moveOccurrence(calendar.events()[1]?.id ?? "", day(4), { start: time(4, "15:00"), end: time(4, "16:00") });
    await person.sync();
    await person.post(path, ours("own", { url: "https://example.test/own" }));
    await person.push();
    const { settled } = await watch(person, receiver);
    const before: Read[] = await person.events(calendarId);
    expect(before).toHaveLength(5);
    fake.revokeConsent(ADA);
    for (let tries = 0; tries < 3; tries += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(await settled()).toEqual(["profile_disconnected"]);
    await person.post(path, ours("meanwhile"));
    calendar.expireDeltaTokens();
    await person.connectAgain(null);
    await person.sync();
    await person.push();
    await person.sync();
    const after: (Read & { url?: string })[] = await person.events(calendarId);
    const known = after.filter(({ summary }) => summary !== "Ours meanwhile");
    expect(known.map(({ event_uid }) => event_uid)).toEqual(before.map(({ event_uid }) => event_uid));
    expect(known.find(({ summary }) => summary === "Ours own")?.url).toBe("https://example.test/own");
    expect(calendar.events().filter(({ subject }) => subject === "Ours meanwhile")).toHaveLength(1);
    expect(after).toHaveLength(6);
  });
});

describe("what the application writes", () => {
  it.each<[string, object]>([
    ["a single event", { description: "Line\n\nLast line", location: { description: "Room" } }],
    ["a series", { tzid: "Europe/Berlin", recurrence: { rules: [{ frequency: "daily", count: 3 }] } }],
    ["an event with a url", { url: "https://example.test/1" }],
    ["a link to a meeting in its description", { description: "Join https://zoom.us/j/123456789." }],
  ])(
    "is no change of others when it is read, also after Exchange has rewritten its change key: %s",
    async (_, body) => {
      const { fake, person, calendarId, path } = await syncedMicrosoft({ knobs: { changeKeySettles: 1_000 } });
      const { settled } = await watch(person, receiver);
      await person.post(path, ours("own", body));
      await person.push();
      const written = await person.events(calendarId);
      expect(written.length).toBeGreaterThan(0);
      await person.sync();
      fake.advance(2_000);
      await person.sync();
      expect(await settled()).toEqual([]);
      expect(await person.events(calendarId)).toEqual(written);
    },
  );

  it("is not read again after it was written", async () => {
    const { fake, person, path } = await syncedMicrosoft();
    await person.post(path, ours("single"));
    await person.post(
      path,
      ours("series", { tzid: "Etc/UTC", recurrence: { rules: [{ frequency: "daily", count: 3 }] } }),
    );
    await person.push();
    await person.sync();
    fake.requests.length = 0;
    await person.sync();
    expect(fake.requests.filter(({ path: asked }) => /\/events\/[^/]+$/.test(asked))).toEqual([]);
  });

  it("keeps its url when others change the event", async () => {
    const { person, calendar, calendarId, path } = await syncedMicrosoft();
    await person.post(path, ours("own", { url: "https://example.test/1" }));
    await person.push();
    calendar.changeEvent(calendar.events()[0]?.id ?? "", { location: { displayName: "Hall" } });
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([
      { url: "https://example.test/1", location: { description: "Hall" } },
    ]);
  });
});

describe("guests", () => {
  it("who reply are a change, and what the application writes is none", async () => {
    const { person, calendar, calendarId, path } = await syncedMicrosoft();
    const { settled } = await watch(person, receiver);
    await person.post(path, ours("party", { attendees: { invite: [{ email: BOB }] } }));
    await person.push();
    await person.sync();
    expect(await settled()).toEqual([]);
    calendar.reply(calendar.events()[0]?.id ?? "", BOB, "accepted");
    await person.sync();
    expect(await settled()).toEqual(["change"]);
    expect((await person.events(calendarId))[0].attendees).toMatchObject([{ email: BOB, status: "accepted" }]);
  });
});

it("the meeting link is there still after others and the application have changed the event", async () => {
  const { person, calendar, calendarId, path } = await syncedMicrosoft();
  const link = async () => {
    await person.sync();
    return (await person.events(calendarId))[0].conferencing?.join_url;
  };
  await person.post(path, ours("call", { conferencing: { profile_id: "integrated" }, description: "Agenda" }));
  await person.push();
  const first = await link();
  expect(first).toMatch(/^https:\/\/teams\.microsoft\.com\//);
  for (const description of ["Agenda 2", "", "Agenda 3"]) {
    await person.post(path, ours("call", { description }));
    await person.push();
    expect(await link()).toBe(first);
    expect((await person.events(calendarId))[0].description).toBe(description);
  }
  calendar.changeEvent(calendar.events()[0]?.id ?? "", { subject: "Theirs" });
  expect(await link()).toBe(first);
});

it("a write that meets others' changes loses none of theirs", async () => {
  const { fake, person, calendar, path } = await syncedMicrosoft();
  await person.post(path, ours("both"));
  await person.push();
  const id = calendar.events()[0]?.id ?? "";
  const run = () => calendar.changeEvent(id, { location: { displayName: "Room 1" } });
  fake.faults.next({ method: "PATCH", path: /\/events\//, run });
  fake.requests.length = 0;
  await person.post(path, ours("both", { summary: "Renamed" }));
  await person.push();
  await person.push();
  expect(calendar.event(id)).toMatchObject({ subject: "Renamed", location: { displayName: "Room 1" } });
  expect(sent(fake, "PATCH").length).toBeLessThan(4);
});

it("an event beyond the first page of a busy day is there", async () => {
  const { summaries } = await filled(
    Array.from({ length: 60 }, (_, i) => ({ subject: `N${i}`, ...timed(2) })),
    { knobs: { pageSize: 7 } },
  );
  expect(await summaries()).toHaveLength(60);
});
