import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { latch } from "../fakes/latch";
import { noteUnhandled } from "../fakes/unhandled";
import { type BookingFields, book, bookingIn, moved, ofBooking } from "./booking";
import { fileEnvironment } from "./file-environment";
import { ADA, asked, BOB, syncedMicrosoft } from "./microsoft-scene";
import { day } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const list = { method: "GET", path: /\/calendarView$/ };
const time = (offset: number, at: string) => ({ dateTime: `${day(offset)}T${at}:00`, timeZone: "UTC" });
const utc = (offset: number, from: string, to: string) => ({ start: time(offset, from), end: time(offset, to) });
const days = (from: number, to: number) => ({
  ...{ isAllDay: true, showAs: "busy" as const },
  ...{ start: time(from, "00:00"), end: time(to, "00:00") },
});
const conflict = (calendar_id: string, from: string, to: string) => ({
  calendar_id,
  start: `${day(2)}T${from}:00Z`,
  end: `${day(2)}T${to}:00Z`,
});
const invited = (response: "declined" | "tentativelyAccepted" | "notResponded") => ({
  organizer: { emailAddress: { address: BOB, name: "Bob" } },
  responseStatus: { response },
  attendees: [{ type: "required" as const, emailAddress: { address: ADA }, status: { response } }],
});

async function booking(provider: "microsoft" | "outlook" = "microsoft") {
  const scene = await syncedMicrosoft({ provider });
  const { person, calendarId, summaries } = scene;
  const body = (more: BookingFields = {}) => bookingIn(person, calendarId, more);
  const nothing = async () => {
    expect(await summaries()).toEqual([]);
    expect(await db().prisma.booking.count({ where: { calendarId } })).toBe(0);
    expect(await db().prisma.providerWrite.count({ where: { calendarId } })).toBe(0);
  };
  return { ...scene, body, nothing, book: (json: object) => book(person, json) };
}

describe.each(["microsoft", "outlook"] as const)("a booking in a calendar at %s", (provider) => {
  it("is written if the time is free there, and arrives there", async () => {
    const { book, body, person, calendar, fake } = await booking(provider);
    const booked = await book(body());
    expect(booked.status, booked.text).toBe(201);
    expect(asked(fake)).toEqual([expect.stringMatching(/^GET me\/calendars\/[^/]+\/calendarView$/)]);
    await person.push();
    expect(calendar.events()).toMatchObject([{ subject: "Booked" }]);
  });

  it("is refused if somebody has taken the time there, although nothing was synced since", async () => {
    const { book, body, calendar, calendarId, nothing } = await booking(provider);
    calendar.putEvent({ subject: "Dentist", showAs: "busy", ...utc(2, "14:30", "15:30") });
    const refused = await book(body());
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual({ conflicts: [conflict(calendarId, "14:30", "15:30")], problems: [] });
    await nothing();
  });

  it("is not in its own way when it moves, nor is what was written here and is not there yet", async () => {
    const { book, body, person, calendar, calendarId } = await booking(provider);
    const first = body();
    const booked = await book(first);
    await person.push();
    expect((await book(moved(first, "14:30", "15:30"))).status).toBe(201);
    expect((await book(moved(body(), "13:30", "14:30"))).status).toBe(201);
    await person.push();
    calendar.putEvent({ subject: "Dentist", showAs: "busy", ...utc(2, "15:00", "16:00") });
    const refused = await book(moved(first, "14:45", "15:15"));
    expect(refused.json.conflicts).toEqual([conflict(calendarId, "15:00", "16:00")]);
    expect((await ofBooking(person, booked, "DELETE")).status).toBe(202);
    expect((await book(moved(body(), "14:30", "15:00"))).status).toBe(201);
  });
});

describe("a booking in a calendar at Microsoft", () => {
  it("asks for nothing of what events say", async () => {
    const { book, body, fake } = await booking();
    await book(body());
    const [request] = fake.requests;
    expect(request?.query.$select?.split(",").sort()).toEqual([
      ...["end", "id", "isAllDay", "isCancelled", "originalStartTimeZone", "responseStatus", "seriesMasterId"],
      ...["showAs", "start", "type"],
    ]);
  });

  it("is refused by an occurrence of a series, a moved one where it lies now, and not by a deleted one", async () => {
    const { book, body, calendar, calendarId } = await booking();
    const id = calendar.putEvent({
      ...{ subject: "Daily", showAs: "busy", ...utc(0, "14:00", "15:00") },
      recurrence: {
        pattern: { type: "daily", interval: 1 },
        range: { type: "numbered", startDate: day(0), numberOfOccurrences: 9 },
      },
    });
    calendar.moveOccurrence(id, day(2), utc(2, "15:30", "16:30"));
    calendar.deleteOccurrence(id, day(3));
    expect((await book(body())).status).toBe(201);
    const refused = await book(moved(body(), "16:00", "17:00"));
    expect(refused.json.conflicts).toEqual([conflict(calendarId, "15:30", "16:30")]);
    const on = (offset: number) => ({ start: `${day(offset)}T14:00:00Z`, end: `${day(offset)}T15:00:00Z` });
    expect((await book(body({ event: on(3) }))).status).toBe(201);
    expect((await book(body({ event: on(4) }))).status).toBe(409);
  });

  it.each([
    ["free", { showAs: "free" as const }],
    ["declined", { ...invited("declined"), showAs: "busy" as const }],
    ["over when it begins", { showAs: "busy" as const, ...utc(2, "13:00", "14:00") }],
    ["without a length", { showAs: "busy" as const, ...utc(2, "14:30", "14:30") }],
    ["on the day before", days(1, 2)],
  ])("is not in the way of an event that is %s", async (_, event) => {
    const { book, body, calendar } = await booking();
    calendar.putEvent({ subject: "Other", ...utc(2, "14:00", "15:00"), ...event });
    const booked = await book(body());
    expect(booked.status, booked.text).toBe(201);
  });

  it("is not in the way of a meeting that its organizer has cancelled", async () => {
    const { book, body, calendar } = await booking();
    const meeting = { ...invited("notResponded"), showAs: "busy" as const, ...utc(2, "14:00", "15:00") };
    const id = calendar.putEvent({ subject: "Other", ...meeting });
    expect((await book(body())).status).toBe(409);
    calendar.cancelByOrganizer(id);
    calendar.changeEvent(id, { showAs: "busy" });
    expect((await book(body())).status).toBe(201);
  });

  it.each([
    ["tentative", { showAs: "tentative" as const }],
    ["an invitation without an answer", { ...invited("notResponded"), showAs: "tentative" as const }],
    ["out of office", { showAs: "oof" as const }],
    ["on that day", days(2, 3)],
  ])("is refused by an event that is %s", async (_, event) => {
    const { book, body, calendar } = await booking();
    calendar.putEvent({ subject: "Other", ...utc(2, "14:00", "15:00"), ...event });
    expect((await book(body())).status).toBe(409);
  });

  it("reads every page", async () => {
    const { book, body, calendar, fake } = await booking();
    fake.knobs.pageSize = 2;
    for (const hour of ["10", "11", "12", "14"]) {
      calendar.putEvent({ subject: hour, showAs: "busy", ...utc(2, `${hour}:00`, `${hour}:30`) });
    }
    expect((await book(body())).status).toBe(409);
    expect(asked(fake)).toHaveLength(2);
  });

  it("asks for at most three calendars of a mailbox at once", async () => {
    const { book, body, person, ada, fake } = await booking();
    for (let i = 0; i < 8; i += 1) ada.addCalendar({ name: `More ${i}` });
    await person.sync();
    await person.sync();
    fake.counters.reset();
    fake.knobs.latency = 50;
    const booked = await book(body({ require_free: [{ sub: person.accountId }] }));
    expect(booked.status, booked.text).toBe(201);
    expect(fake.counters.mostAtOnce[ADA]).toBe(3);
    expect(fake.counters.routes).toEqual({ "GET /me/calendars/{id}/calendarView": 9 });
  });

  it("is held, then confirmed", async () => {
    const { book, body, person, calendar } = await booking();
    const held = await book(body({ hold_seconds: 60 }));
    expect((await book(body())).status).toBe(409);
    expect((await ofBooking(person, held, "POST", "/confirm")).json).toMatchObject({ state: "booked" });
    await person.push();
    expect(calendar.events()).toMatchObject([{ subject: "Booked" }]);
  });
});

describe("when Microsoft can't be asked", () => {
  it.each([
    ["is down", { respond: "serviceUnavailable" }],
    ["throttles", { respond: "tooManyRequests", retryAfter: 60 }],
    ["breaks the connection", { breakConnection: true }],
    ["says something else", { respond: { status: 200, body: {} } }],
    ["has lost the calendar", { respond: "itemNotFound" }],
  ] as const)("and %s: nothing is booked, unless what was last read counts", async (_, fault) => {
    const { book, body, person, fake, nothing } = await booking();
    fake.faults.next({ ...list, ...fault, times: 2 });
    const refused = await book(body());
    expect(refused.status).toBe(503);
    expect(refused.json).toEqual({ error: "unreachable", sub: person.accountId });
    await nothing();
    const accepted = await book(body({ if_unreachable: "accept" }));
    expect(accepted.status, accepted.text).toBe(201);
  });

  it("asks no more while it throttles the account", async () => {
    const { book, body, fake } = await booking();
    fake.faults.next({ ...list, respond: "tooManyRequests", retryAfter: 60 });
    expect((await book(body())).status).toBe(503);
    fake.requests.length = 0;
    expect((await book(body())).status).toBe(503);
    expect(asked(fake)).toEqual([]);
    expect(fake.counters.violations).toEqual([]);
  });

  it("and hangs: the answer comes in five seconds, and the request ends", async () => {
    const unhandled = noteUnhandled();
    const { book, body, fake, nothing } = await booking();
    const gate = latch();
    fake.faults.next({ ...list, until: gate.opened });
    const began = performance.now();
    expect((await book(body())).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(8_000);
    await nothing();
    gate.open();
    expect((await book(body())).status).toBe(201);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("and rejects the access token: it is refreshed once", async () => {
    const { book, body, fake } = await booking();
    fake.faults.next({ ...list, respond: "invalidToken" });
    expect((await book(body())).status).toBe(201);
    expect(fake.requests.filter(({ path }) => path.endsWith("/token"))).toHaveLength(1);
  });
});
