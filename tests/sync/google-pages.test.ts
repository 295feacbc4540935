import { describe, expect, it } from "vitest";
import { latch } from "../fakes/latch";
import { connectGooglePerson, google } from "./google-person";
import { ADA, asked, at, syncedGoogle, timed } from "./google-scene";
import { day, ours } from "./world";

const laterPage = { path: /\/events$/, query: { pageToken: /./ } };

describe("while a calendar is read page by page", () => {
  it("an event that is deleted is gone after the next read", async () => {
    const { person, summaries } = await syncedGoogle({
      knobs: { pageSize: 1 },
      fill: ({ primary }, { faults }) => {
        primary.putEvent({ summary: "Stays", ...timed(3) });
        const goes = primary.putEvent({ summary: "Goes", ...timed(2) });
        primary.putEvent({ summary: "Last", ...timed(4) });
        faults.next({ ...laterPage, after: 1, run: () => primary.deleteEvent(goes) });
      },
    });
    await person.sync();
    expect(await summaries()).toEqual(["Stays", "Last"]);
  });

  it("an event that comes is there after the next read, and an occurrence that is moved is moved", async () => {
    const { person, calendarId } = await syncedGoogle({
      knobs: { pageSize: 1 },
      fill: ({ primary }, { faults }) => {
        primary.putEvent({ id: "daily00", summary: "Daily", ...timed(2), recurrence: ["RRULE:FREQ=DAILY;COUNT=2"] });
        primary.putEvent({ summary: "Single", ...timed(8) });
        const run = () => {
          primary.moveOccurrence("daily00", at(3), timed(3, "15:00", "16:00"));
          primary.putEvent({ summary: "New", ...timed(9) });
        };
        faults.next({ ...laterPage, run });
      },
    });
    await person.sync();
    const events = await person.events(calendarId);
    expect(events.map(({ summary, start }) => [summary, start.slice(0, 13)])).toEqual([
      ["Daily", `${day(2)}T09`],
      ["Daily", `${day(3)}T14`],
      ["Single", `${day(8)}T09`],
      ["New", `${day(9)}T09`],
    ]);
  });

  it("an event or an exception that comes on two pages is what the second one says", async () => {
    const provider = await google();
    const moved = { id: `daily00_${day(3).replaceAll("-", "")}T090000Z`, recurringEventId: "daily00", etag: '"1"' };
    const exception = { ...moved, originalStartTime: at(3), status: "confirmed" };
    const recurrence = ["RRULE:FREQ=DAILY;COUNT=2"];
    const page = (items: object[], more: object) => ({
      status: 200,
      body: { items, timeZone: "Africa/Lagos", ...more },
    });
    const first = [
      { id: "goes000", summary: "Goes", etag: '"1"', ...timed(5) },
      { id: "series0", summary: "Goes, too", etag: '"1"', ...timed(6), recurrence },
      { id: "daily00", summary: "Daily", etag: '"1"', ...timed(2), recurrence },
      { ...exception, summary: "Before", ...timed(3, "14:00", "15:00") },
    ];
    const second = [
      { id: "goes000", status: "cancelled", etag: '"2"' },
      { id: "series0", status: "cancelled", etag: '"2"' },
      { ...exception, etag: '"2"', summary: "After", ...timed(3, "16:00", "17:00") },
    ];
    provider.faults.next({ path: /\/events$/, respond: page(first, { nextPageToken: "2" }) });
    provider.faults.next({ path: /\/events$/, respond: page(second, { nextSyncToken: "s" }) });
    const person = await connectGooglePerson(provider);
    await person.sync();
    const events = await person.events(await person.calendarId(ADA));
    expect(events.map(({ summary, start }) => [summary, start.slice(0, 13)])).toEqual([
      ["Daily", `${day(2)}T09`],
      ["After", `${day(3)}T15`],
    ]);
  });

  it("a sync token that expires after the first page has everything read again, and what is gone goes", async () => {
    const { provider, person, calendar, summaries } = await syncedGoogle({ knobs: { pageSize: 1 } });
    const [goes, changes] = ["Goes", "Changes"].map((summary) => calendar.putEvent({ summary, ...timed(2) }));
    await person.sync();
    calendar.deleteEvent(goes ?? "");
    calendar.forgetDeleted();
    calendar.changeEvent(changes ?? "", { summary: "Changed" });
    calendar.putEvent({ summary: "New", ...timed(4) });
    provider.faults.next({ ...laterPage, respond: "fullSyncRequired" });
    await person.sync();
    expect(provider.faults.left()).toBe(0);
    expect(await summaries()).toEqual(["Changed", "New"]);
    expect(await person.profile()).toMatchObject({ sync_error: null });
  });

  it("an event that the application writes is read again with what changed since, and nothing else is", async () => {
    const { provider, person, path, calendar, calendarId } = await syncedGoogle({ knobs: { pageSize: 1 } });
    await person.post(path, ours("one"));
    await person.push();
    calendar.putEvent({ summary: "Theirs", ...timed(8) });
    await person.sync();
    calendar.changeEvent(calendar.events()[0]?.id ?? "", { location: "Room 1" });
    calendar.changeEvent(calendar.events()[1]?.id ?? "", { location: "Room 2" });
    const slow = latch();
    provider.faults.next({ ...laterPage, until: slow.opened });
    const syncing = person.sync();
    await expect.poll(() => provider.faults.left()).toBe(0);
    await person.post(path, ours("one", { summary: "Renamed" }));
    await person.push();
    slow.open();
    await syncing;
    provider.requests.length = 0;
    await person.sync();
    const reads = provider.requests.filter(({ path: of }) => /\/events$/.test(of));
    expect(reads.map(({ query }) => query.syncToken === undefined)).not.toContain(true);
    expect(await person.events(calendarId)).toMatchObject([
      { summary: "Renamed", location: { description: "Room 1" } },
      { summary: "Theirs", location: { description: "Room 2" } },
    ]);
  });

  it("a connection that breaks loses nothing: the next read begins where the last one that ended did", async () => {
    const { provider, person, calendar, summaries } = await syncedGoogle({ knobs: { pageSize: 1 } });
    for (const offset of [2, 3, 4]) calendar.putEvent({ summary: `On ${offset}`, ...timed(offset) });
    // A kept connection that breaks is tried once more.
    provider.faults.next({ ...laterPage, breakConnection: true, times: 2 });
    await person.sync();
    expect(await summaries()).toEqual([]);
    await person.sync();
    expect(await summaries()).toEqual(["On 2", "On 3", "On 4"]);
  });
});

describe("the list of calendars", () => {
  it("is listed again when its sync token expires between two pages, and a calendar that is gone is deleted", async () => {
    const { provider, ada, person } = await syncedGoogle({
      knobs: { pageSize: 1 },
      fill: (account) => {
        for (const summary of ["Home", "Work"]) account.addCalendar({ id: `${summary}@group`, summary });
      },
    });
    const homeId = await person.calendarId("Home");
    ada.removeCalendar("Home@group");
    for (const summary of ["New", "Newer"]) ada.addCalendar({ summary });
    provider.faults.next({ path: /calendarList$/, query: { pageToken: /./ }, respond: "fullSyncRequired" });
    await person.sync();
    expect(provider.faults.left()).toBe(0);
    const { json } = await person.get("/v1/calendars");
    const shown = json.calendars.map((one: { calendar_name: string; calendar_deleted: boolean }) => [
      one.calendar_name,
      one.calendar_deleted,
    ]);
    expect(Object.fromEntries(shown)).toEqual({ [ADA]: false, Home: true, Work: false, New: false, Newer: false });
    expect(await person.calendarId("Home")).toBe(homeId);
  });

  it("of which nothing changed costs one request, and each calendar another", async () => {
    const { provider, person } = await syncedGoogle();
    await person.sync();
    expect(asked(provider)).toEqual(["GET users/me/calendarList", `GET calendars/${ADA}/events`]);
  });
});
