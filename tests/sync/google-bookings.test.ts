import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { latch } from "../fakes/latch";
import { noteUnhandled } from "../fakes/unhandled";
import { type BookingFields, book, bookingIn, moved, ofBooking } from "./booking";
import { fileEnvironment } from "./file-environment";
import { ADA, asked, syncedGoogle, wholeDay } from "./google-scene";
import { day } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const list = { method: "GET", path: /\/events$/ };
const utc = (offset: number, from: string, to: string) => ({
  start: { dateTime: `${day(offset)}T${from}:00Z` },
  end: { dateTime: `${day(offset)}T${to}:00Z` },
});
const conflict = (calendar_id: string, from: string, to: string) => ({
  calendar_id,
  start: `${day(2)}T${from}:00Z`,
  end: `${day(2)}T${to}:00Z`,
});

async function booking() {
  const scene = await syncedGoogle();
  const { person, calendarId, summaries } = scene;
  const body = (more: BookingFields = {}) => bookingIn(person, calendarId, more);
  /** Nothing of a booking is anywhere. */
  const nothing = async () => {
    expect(await summaries()).toEqual([]);
    expect(await db().prisma.booking.count({ where: { calendarId } })).toBe(0);
    expect(await db().prisma.providerWrite.count({ where: { calendarId } })).toBe(0);
  };
  return { ...scene, body, nothing, book: (json: object) => book(person, json) };
}

describe("a booking in a calendar at Google", () => {
  it("is written if the time is free there, and arrives there", async () => {
    const { book, body, person, calendar, provider } = await booking();
    const booked = await book(body());
    expect(booked.status, booked.text).toBe(201);
    expect(asked(provider)).toEqual([`GET calendars/${ADA}/events`]);
    await person.push();
    expect(calendar.events()).toMatchObject([{ summary: "Booked" }]);
  });

  it("asks for nothing of what events say", async () => {
    const { book, body, calendar, provider } = await booking();
    calendar.putEvent({ summary: "Secret", description: "Secret", ...utc(2, "14:30", "15:00") });
    expect((await book(body())).status).toBe(409);
    const [request] = provider.requests;
    const answer = await fetch(`${provider.origin}${request?.path}?${new URLSearchParams(request?.query)}`, {
      headers: { authorization: `Bearer ${provider.accessToken(ADA)}` },
    });
    expect(Object.keys((await answer.json()).items[0]).sort()).toEqual([
      ...["end", "eventType", "id", "organizer", "start", "status"],
    ]);
  });

  it("is refused if somebody has taken the time there, although nothing was synced since", async () => {
    const { book, body, calendar, calendarId, nothing } = await booking();
    calendar.putEvent({ summary: "Dentist", ...utc(2, "14:30", "15:30") });
    const refused = await book(body());
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual({ conflicts: [conflict(calendarId, "14:30", "15:30")], problems: [] });
    await nothing();
  });

  it("is refused by an occurrence of a series, a moved one where it lies now", async () => {
    const { book, body, calendar, calendarId } = await booking();
    const start = { dateTime: `${day(0)}T14:00:00Z`, timeZone: "UTC" };
    const end = { dateTime: `${day(0)}T15:00:00Z`, timeZone: "UTC" };
    const id = calendar.putEvent({ summary: "Daily", start, end, recurrence: ["RRULE:FREQ=DAILY;COUNT=9"] });
    calendar.moveOccurrence(id, { dateTime: `${day(2)}T14:00:00Z`, timeZone: "UTC" }, utc(2, "15:30", "16:30"));
    expect((await book(body())).status).toBe(201);
    const refused = await book(moved(body(), "16:00", "17:00"));
    expect(refused.json.conflicts).toEqual([conflict(calendarId, "15:30", "16:30")]);
  });

  it.each([
    ["transparent", { transparency: "transparent" }],
    ["a working location", { eventType: "workingLocation", transparency: "transparent" }],
    ["declined", { attendees: [{ email: ADA, responseStatus: "declined" }], organizer: { email: "bob@example.com" } }],
    ["over when it begins", utc(2, "13:00", "14:00")],
    ["without a length", utc(2, "14:30", "14:30")],
  ])("is not in the way of an event that is %s", async (_, event) => {
    const { book, body, calendar } = await booking();
    calendar.putEvent({ summary: "Other", ...utc(2, "14:00", "15:00"), ...event });
    const booked = await book(body());
    expect(booked.status, booked.text).toBe(201);
  });

  it.each([
    ["tentative", { status: "tentative" }],
    ["an invitation without an answer", { attendees: [{ email: ADA, responseStatus: "needsAction" }] }],
    ["out of office", { eventType: "outOfOffice" }],
  ])("is refused by an event that is %s", async (_, event) => {
    const { book, body, calendar } = await booking();
    calendar.putEvent({ summary: "Other", ...utc(2, "14:00", "15:00"), ...event });
    expect((await book(body())).status).toBe(409);
  });

  it("is refused by an all-day event on its days in the owner's zone", async () => {
    const { book, body, calendar, calendarId, person } = await booking();
    await db().prisma.account.update({ where: { id: person.accountId }, data: { defaultTzid: "Pacific/Kiritimati" } });
    calendar.putEvent({ summary: "Away", ...wholeDay(3) });
    expect((await book(moved(body(), "09:00", "10:00"))).status).toBe(201);
    const refused = await book(moved(body(), "09:30", "10:30"));
    const conflicts = [{ calendar_id: calendarId, start: `${day(2)}T10:00:00Z`, end: `${day(3)}T10:00:00Z` }];
    expect(refused.json.conflicts).toEqual([
      { calendar_id: calendarId, start: `${day(2)}T09:00:00Z`, end: `${day(2)}T10:00:00Z` },
      ...conflicts,
    ]);
  });

  it("reads every page", async () => {
    const { book, body, calendar, provider } = await booking();
    provider.knobs.pageSize = 2;
    for (const hour of ["10", "11", "12", "14"]) {
      calendar.putEvent({ summary: hour, ...utc(2, `${hour}:00`, `${hour}:30`) });
    }
    expect((await book(body())).status).toBe(409);
    expect(asked(provider)).toHaveLength(2);
  });

  it("is held, then confirmed, and both ask Google no more than they must", async () => {
    const { book, body, person, calendar, provider, calendarId } = await booking();
    const held = await book(body({ hold_seconds: 60 }));
    expect(held.json).toMatchObject({ state: "held" });
    await person.push();
    expect(calendar.events()).toEqual([]);
    const other = await book(body());
    expect(other.json.conflicts).toEqual([conflict(calendarId, "14:00", "15:00")]);
    provider.requests.length = 0;
    for (let times = 0; times < 2; times += 1) {
      expect((await ofBooking(person, held, "POST", "/confirm")).json).toMatchObject({ state: "booked" });
      expect(asked(provider)).toEqual([`GET calendars/${ADA}/events`]);
    }
    await person.push();
    expect(calendar.events()).toMatchObject([{ summary: "Booked" }]);
  });
});

describe("the event of a booking is not in its own way at Google", () => {
  it("when it moves, but what else is at its time there is", async () => {
    const { book, body, person, calendar, calendarId } = await booking();
    const first = body();
    expect((await book(first)).status).toBe(201);
    await person.push();
    expect((await book(moved(first, "14:30", "15:30"))).status).toBe(201);
    await person.push();
    expect(calendar.events()).toMatchObject([{ start: { dateTime: `${day(2)}T14:30:00Z` } }]);
    // The two overlap, and Google's free/busy would call them one.
    calendar.putEvent({ summary: "Dentist", ...utc(2, "15:00", "16:00") });
    const refused = await book(moved(first, "14:45", "15:15"));
    expect(refused.json.conflicts).toEqual([conflict(calendarId, "15:00", "16:00")]);
    expect((await book(moved(first, "14:00", "15:00"))).status).toBe(201);
  });

  it("when it is a series", async () => {
    const { book, body, person } = await booking();
    const rules = [{ frequency: "daily", count: 3 }];
    const first = body({ event: { tzid: "Etc/UTC", recurrence: { rules } } });
    expect((await book(first)).status).toBe(201);
    await person.push();
    const later = await book(moved(first, "14:30", "15:30"));
    expect(later.status, later.text).toBe(201);
  });

  it("while what was written here before is not there yet", async () => {
    const { book, body, person, calendar } = await booking();
    const first = body();
    const booked = await book(first);
    await person.push();
    // Moved here: there it still lies at 14:00, which is free.
    expect((await book(moved(first, "16:00", "17:00"))).status).toBe(201);
    const second = body();
    expect((await book(second)).status).toBe(201);
    // Deleted here.
    expect((await ofBooking(person, booked, "DELETE")).status).toBe(202);
    expect((await book(moved(body(), "16:00", "17:00"))).status).toBe(201);
    await person.push();
    expect(calendar.events().filter(({ status }) => status !== "cancelled")).toHaveLength(2);
  });

  it("while Google has created it and its response is on the way", async () => {
    const { book, body, person, provider } = await booking();
    const first = body();
    expect((await book(first)).status).toBe(201);
    provider.faults.next({ method: "POST", path: /\/events$/, afterWork: true, respond: "backendError" });
    await person.push();
    expect((await book(moved(first, "14:30", "15:30"))).status).toBe(201);
  });
});

describe("when Google can't be asked", () => {
  it.each([
    ["is down", { respond: "backendError" }],
    ["throttles", { respond: "tooManyRequests", retryAfter: 60 }],
    ["throttles in its older way", { respond: "userRateLimitExceeded" }],
    ["breaks the connection", { breakConnection: true }],
    ["says something else", { respond: { status: 200, body: "<html>" } }],
    ["has lost the calendar", { respond: "notFound" }],
  ] as const)("and %s: nothing is booked, unless what was last read counts", async (_, fault) => {
    const { book, body, person, provider, nothing } = await booking();
    provider.faults.next({ ...list, ...fault, times: 2 });
    const refused = await book(body());
    expect(refused.status).toBe(503);
    expect(refused.json).toEqual({ error: "unreachable", sub: person.accountId });
    await nothing();
    const accepted = await book(body({ if_unreachable: "accept" }));
    expect(accepted.status, accepted.text).toBe(201);
  });

  it("asks no more while it throttles the account", async () => {
    const { book, body, provider } = await booking();
    provider.faults.next({ ...list, respond: "tooManyRequests", retryAfter: 60 });
    expect((await book(body())).status).toBe(503);
    provider.requests.length = 0;
    expect((await book(body())).status).toBe(503);
    expect(asked(provider)).toEqual([]);
  });

  it("hangs: the answer comes in five seconds, and the request ends", async () => {
    const unhandled = noteUnhandled();
    const { book, body, provider, nothing } = await booking();
    const gate = latch();
    provider.faults.next({ ...list, until: gate.opened });
    const began = performance.now();
    expect((await book(body())).status).toBe(503);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(4_900);
    expect(took).toBeLessThan(8_000);
    await nothing();
    gate.open();
    expect((await book(body())).status).toBe(201);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("an access token that it rejects is refreshed once", async () => {
    const { book, body, provider } = await booking();
    provider.faults.next({ ...list, respond: "authError" });
    expect((await book(body())).status).toBe(201);
    expect(provider.requests.filter(({ path }) => path === "/token")).toHaveLength(1);
  });

  it("and the access has ended: the account can't be asked", async () => {
    const { book, body, provider, person, nothing } = await booking();
    provider.revokeConsent(ADA);
    const refused = await book(body());
    expect(refused.json).toEqual({ error: "unreachable", sub: person.accountId });
    await nothing();
  });
});
