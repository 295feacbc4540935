import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountState } from "../fakes/microsoft/account-state";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { ADA, asked, BOB, syncedMicrosoft, timed, wholeDay } from "./microsoft-scene";
import { day, watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());

const person = (address: string, name = address) => ({ emailAddress: { address, name } });
const bobs = { organizer: person(BOB, "Bob") };

describe("free/busy", () => {
  it("is what the calendar shows, and what the user has replied", async () => {
    const reply = (response: "declined" | "tentativelyAccepted" | "notResponded" | "accepted") => ({
      ...{ ...bobs, responseStatus: { response } },
      attendees: [{ type: "required" as const, ...person(ADA), status: { response } }],
    });
    const fill = ({ primary }: AccountState) => {
      primary.putEvent({ subject: "Busy", showAs: "busy", ...timed(2) });
      primary.putEvent({ subject: "Away", showAs: "oof", ...timed(3) });
      primary.putEvent({ subject: "Elsewhere", showAs: "workingElsewhere", ...timed(4) });
      primary.putEvent({ subject: "Free", showAs: "free", ...timed(5) });
      primary.putEvent({ subject: "Holiday", showAs: "free", ...wholeDay(6) });
      primary.putEvent({ subject: "Planned", showAs: "tentative", ...timed(7) });
      primary.putEvent({ subject: "Declined", ...reply("declined"), ...timed(8) });
      primary.putEvent({ subject: "Perhaps", ...reply("tentativelyAccepted"), ...timed(9) });
      primary.putEvent({ subject: "Unanswered", ...reply("notResponded"), showAs: "tentative", ...timed(10) });
      primary.putEvent({ subject: "Accepted", ...reply("accepted"), ...timed(11) });
    };
    const { person: ada } = await syncedMicrosoft({ fill });
    const { json } = await ada.get("/v1/free_busy", { tzid: "Etc/UTC", from: day(-1), to: day(30) });
    const shown = json.free_busy.map((one: { start: string; free_busy_status: string }) => [
      one.start.slice(0, 10),
      one.free_busy_status,
    ]);
    expect(shown).toEqual([
      ...[2, 3, 4].map((offset) => [day(offset), "busy"]),
      ...[5, 6].map((offset) => [day(offset), "free"]),
      ...[7, 9, 10].map((offset) => [day(offset), "tentative"]),
      [day(11), "busy"],
    ]);
  });
});

describe("an event of others", () => {
  it("is there with its people, its text and its link, and is not the application's to change", async () => {
    const join = "https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0";
    const fill = ({ primary }: AccountState) => {
      primary.putEvent({
        ...{ subject: "Review", ...timed(2), ...bobs, location: { displayName: "Room 1" }, sensitivity: "private" },
        ...{ body: { contentType: "text", content: "Read the paper" }, categories: ["Blue category"] },
        ...{ isOnlineMeeting: true, onlineMeetingProvider: "teamsForBusiness", onlineMeeting: { joinUrl: join } },
        responseStatus: { response: "accepted" },
        attendees: [
          { type: "required", ...person(ADA, "Ada"), status: { response: "accepted" } },
          { type: "resource", ...person("room1@example.com", "Room 1"), status: { response: "accepted" } },
        ],
      });
    };
    const { person: ada, calendarId } = await syncedMicrosoft({ fill });
    const [event] = await ada.events(calendarId);
    expect(event).toMatchObject({
      ...{ summary: "Review", location: { description: "Room 1" }, event_private: true, categories: ["Blue category"] },
      ...{ organizer: { email: BOB, display_name: "Bob" }, participation_status: "accepted" },
      conferencing: { join_url: join },
      options: { delete: false, update: false },
    });
    expect(event.description).toMatch(/^Read the paper/);
    expect(event.attendees).toMatchObject([
      { email: ADA, status: "accepted" },
      { email: "room1@example.com", status: "accepted" },
    ]);
  });

  it("is requested with its body as text, and with an ID that stays", async () => {
    const { fake, person: ada, calendar, calendarId } = await syncedMicrosoft();
    calendar.putEvent({
      subject: "Review",
      ...bobs,
      ...timed(2),
      body: { contentType: "html", content: "<p>Read</p>" },
    });
    await ada.sync();
    const lists = fake.requests.filter(({ path }) => path.endsWith("/calendarView/delta"));
    expect(lists).not.toEqual([]);
    for (const { prefer } of lists) {
      expect(prefer).toContain('outlook.body-content-type="text"');
      expect(prefer).toContain('IdType="ImmutableId"');
    }
    expect(await ada.events(calendarId)).toMatchObject([{ description: "Read" }]);
  });

  it("that is added, changed, deleted or cancelled is one change for the application each time", async () => {
    const { person: ada, calendar, calendarId } = await syncedMicrosoft();
    const { settled, forget } = await watch(ada, receiver);
    const steps: [() => void, string[]][] = [];
    let id = "";
    const add = () => {
      id = calendar.putEvent({ subject: "Review", ...bobs, ...timed(2) });
    };
    steps.push([add, ["Review"]]);
    steps.push([() => calendar.changeEvent(id, { subject: "Long review" }), ["Long review"]]);
    steps.push([() => calendar.cancelByOrganizer(id), []]);
    steps.push([add, ["Review"]]);
    steps.push([() => calendar.deleteEvent(id), []]);
    for (const [step, left] of steps) {
      step();
      await ada.sync();
      expect(await settled()).toEqual(["change"]);
      forget();
      await ada.sync();
      expect(await settled()).toEqual([]);
      expect((await ada.events(calendarId)).map(({ summary }) => summary)).toEqual(left);
    }
  });

  it("that Exchange has touched without a change is no change", async () => {
    const { person: ada, calendar } = await syncedMicrosoft();
    const id = calendar.putEvent({ subject: "Review", ...timed(2) });
    await ada.sync();
    const { settled } = await watch(ada, receiver);
    calendar.rewriteChangeKey(id);
    await ada.sync();
    expect(await settled()).toEqual([]);
  });

  it("that the user declines is gone where Outlook takes it out of the calendar, and declined where it stays", async () => {
    const { person: ada, calendar, calendarId } = await syncedMicrosoft();
    const own = (response: "declined" | "notResponded") => ({
      responseStatus: { response },
      attendees: [{ type: "required" as const, ...person(ADA), status: { response } }],
    });
    const goes = calendar.putEvent({ subject: "Goes", ...bobs, ...own("notResponded"), ...timed(2) });
    calendar.putEvent({ subject: "Stays", ...bobs, ...own("declined"), ...timed(3) });
    await ada.sync();
    calendar.deleteEvent(goes);
    await ada.sync();
    expect(await ada.events(calendarId)).toMatchObject([{ summary: "Stays", participation_status: "declined" }]);
  });
});

describe("a calendar", () => {
  it("whose token Graph has forgotten is read anew: what is gone goes, and nothing is there twice", async () => {
    const { person: ada, calendar, summaries } = await syncedMicrosoft();
    const [goes] = ["Goes", "Stays"].map((subject, i) => calendar.putEvent({ subject, ...timed(2 + i) }));
    await ada.sync();
    calendar.deleteEvent(goes ?? "");
    calendar.putEvent({ subject: "Comes", ...timed(5) });
    calendar.expireDeltaTokens();
    await ada.sync();
    expect(await summaries()).toEqual(["Stays", "Comes"]);
    expect(await ada.profile()).toMatchObject({ sync_error: null });
  });

  it("of somebody else is read through that calendar", async () => {
    const {
      fake,
      ada,
      person: reader,
    } = await syncedMicrosoft({
      accounts: [
        { email: ADA, name: "Ada" },
        { email: BOB, name: "Bob" },
      ],
    });
    const shared = fake.calendar(ada.addSharedCalendar({ name: "Team", owner: BOB }));
    const id = shared.putEvent({ subject: "Series", ...timed(2), recurrence: daily(3) });
    shared.deleteOccurrence(id, day(3));
    await reader.sync();
    const calendarId = await reader.calendarId("Team");
    const dates = (await reader.events(calendarId)).map(({ occurrence_date }) => occurrence_date);
    expect(dates).toEqual([day(2), day(4)]);
  });

  it("in which nothing has changed takes two requests", async () => {
    const { fake, person: ada } = await syncedMicrosoft({
      fill: ({ primary }) => {
        primary.putEvent({ subject: "Series", ...timed(2), recurrence: daily(3) });
        primary.putEvent({ subject: "Single", ...timed(8) });
      },
    });
    await ada.sync();
    expect(asked(fake).filter((line) => /events|calendarView/.test(line))).toHaveLength(2);
  });
});

const daily = (numberOfOccurrences: number, first = 2) => ({
  pattern: { type: "daily" as const, interval: 1 },
  range: { type: "numbered" as const, startDate: day(first), numberOfOccurrences },
});

describe("while a calendar is read page by page", () => {
  const laterPage = { path: /\/delta$/, query: { $skiptoken: /./ } };

  it("an event that is deleted is gone after the next read, and one that comes is there", async () => {
    const { person: ada, summaries } = await syncedMicrosoft({
      knobs: { pageSize: 1 },
      fill: ({ primary }, { faults }) => {
        primary.putEvent({ subject: "Stays", ...timed(3) });
        const goes = primary.putEvent({ subject: "Goes", ...timed(2) });
        primary.putEvent({ subject: "Last", ...timed(4) });
        const run = () => {
          primary.deleteEvent(goes);
          primary.putEvent({ subject: "New", ...timed(9) });
        };
        faults.next({ ...laterPage, after: 1, run });
      },
    });
    await ada.sync();
    expect(await summaries()).toEqual(["Stays", "Last", "New"]);
  });

  it("a token that is refused after the first page has everything read again", async () => {
    const { fake, person: ada, calendar, summaries } = await syncedMicrosoft({ knobs: { pageSize: 1 } });
    const [goes] = ["Goes", "Stays"].map((subject, i) => calendar.putEvent({ subject, ...timed(2 + i) }));
    await ada.sync();
    calendar.deleteEvent(goes ?? "");
    for (const offset of [5, 6]) calendar.putEvent({ subject: `On ${offset}`, ...timed(offset) });
    fake.faults.next({ ...laterPage, respond: "syncStateNotFound" });
    await ada.sync();
    expect(await summaries()).toEqual(["Stays", "On 5", "On 6"]);
  });

  it("a link to another host is not followed with the user's token", async () => {
    const { fake, person: ada, calendar, summaries } = await syncedMicrosoft();
    calendar.putEvent({ subject: "One", ...timed(2) });
    const body = { value: [], "@odata.nextLink": "https://graph.example.test/v1.0/me/calendarView/delta?$skiptoken=x" };
    fake.faults.next({ path: /\/delta$/, respond: { status: 200, body } });
    await ada.sync();
    expect(await ada.profile()).toMatchObject({ sync_failures: 1 });
    await ada.sync();
    expect(await summaries()).toEqual(["One"]);
  });
});
