import { describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { provideConnector } from "@/server/providers/connectors";
import { newApplication } from "../api/service";
import { otherClient } from "../fakes/other-client";
import { type BookingFields, book, bookingIn, moved, ofBooking } from "./booking";
import { connectGooglePerson, google } from "./google-person";
import { connectMicrosoftPerson, microsoft } from "./microsoft-person";
import { scene } from "./scene";
import { connectPerson, day, ical, vevent } from "./world";

const made = scene();
let names = 0;

/** Three people of one application, whose calendars are at three providers. */
async function three() {
  const application = await newApplication();
  const [fakeGoogle, fakeMicrosoft] = [await google(), await microsoft()];
  names += 1;
  const url = await made.radicale.makeCalendar(`Team ${names}`);
  const ada = await connectGooglePerson(fakeGoogle, application);
  const bob = await connectMicrosoftPerson(fakeMicrosoft, application);
  const anna = await connectPerson(made.radicale, made.radicale, application);
  provideConnector("icloud", anna.connector);
  onTestFinished(() => provideConnector("icloud", null));
  for (const person of [ada, bob, anna]) await person.sync();
  const calendars = {
    ada: await ada.calendarId("ada@example.com"),
    bob: await bob.calendarId("Calendar"),
    anna: await anna.calendarId(`Team ${names}`),
  };
  const free = [
    { sub: ada.accountId, calendar_ids: [calendars.ada] },
    { sub: bob.accountId, calendar_ids: [calendars.bob] },
    { sub: anna.accountId, calendar_ids: [calendars.anna] },
  ];
  const body = (more: BookingFields = {}) => ({ ...bookingIn(ada, calendars.ada, more), require_free: free });
  const there = {
    ada: fakeGoogle.account("ada@example.com").primary,
    bob: fakeMicrosoft.account("ada@example.com").primary,
    anna: otherClient(url, made.radicale),
  };
  const count = () => db().prisma.booking.count({ where: { calendarId: { in: Object.values(calendars) } } });
  return { people: { ada, bob, anna }, fakeGoogle, fakeMicrosoft, calendars, body, there, count };
}

const utc = (time: string) => `${day(2)}T${time}:00Z`;

describe("a booking over calendars at Google, Microsoft and iCloud", () => {
  it("is written if all are free, in the one calendar, and takes the time of all", async () => {
    const { people, body, there, calendars } = await three();
    const booked = await book(people.ada, body());
    expect(booked.status, booked.text).toBe(201);
    await people.ada.push();
    expect(there.ada.events()).toMatchObject([{ summary: "Booked" }]);
    expect(there.bob.events()).toEqual([]);
    expect(await there.anna.list()).toEqual([]);
    const bobs = await book(people.bob, bookingIn(people.bob, calendars.bob));
    expect(bobs.json.conflicts).toEqual([{ calendar_id: calendars.bob, start: utc("14:00"), end: utc("15:00") }]);
    expect((await ofBooking(people.ada, booked, "DELETE")).status).toBe(202);
    expect((await book(people.bob, bookingIn(people.bob, calendars.bob))).status).toBe(201);
  });

  it("is refused by whoever is busy there, each by name, and nothing is written", async () => {
    const { people, body, there, calendars, count } = await three();
    const [start, end] = [utc("14:15"), utc("14:45")];
    there.ada.putEvent({ summary: "At Google", start: { dateTime: start }, end: { dateTime: end } });
    const times = { start: { dateTime: start, timeZone: "UTC" }, end: { dateTime: end, timeZone: "UTC" } };
    there.bob.putEvent({ subject: "At Microsoft", showAs: "busy", ...times });
    await there.anna.create("one", vevent("one", { DTSTART: ical(2, "141500Z"), DTEND: ical(2, "144500Z") }));
    const refused = await book(people.ada, body());
    expect(refused.status).toBe(409);
    expect(new Set(refused.json.conflicts.map((one: { calendar_id: string }) => one.calendar_id))).toEqual(
      new Set(Object.values(calendars)),
    );
    expect(refused.json.conflicts).toHaveLength(3);
    expect(await count()).toBe(0);
    expect((await book(people.ada, moved(body(), "15:00", "16:00"))).status).toBe(201);
  });

  it("is moved over the invitations that its guests have of it", async () => {
    const { people, body, there } = await three();
    const first = body({ event: { attendees: { invite: [{ email: "bob@example.com" }] } } });
    expect((await book(people.ada, first)).status).toBe(201);
    await people.ada.push();
    const hour = (from: string, to: string) => ({
      start: { dateTime: utc(from), timeZone: "UTC" },
      end: { dateTime: utc(to), timeZone: "UTC" },
    });
    there.bob.putEvent({ subject: "Booked", showAs: "busy", ...hour("14:00", "15:00") });
    await there.anna.create(
      "copy",
      vevent("copy", { SUMMARY: "Booked", DTSTART: ical(2, "140000Z"), DTEND: ical(2, "150000Z") }),
    );
    const unread = await book(people.ada, moved(first, "14:30", "15:30"));
    expect(unread.status).toBe(409);
    await people.bob.sync();
    await people.anna.sync();
    const read = await book(people.ada, moved(first, "14:30", "15:30"));
    expect(read.status, read.text).toBe(201);
  });

  it("is refused if one provider is away, unless what was last read of it counts; the others are asked still", async () => {
    const { people, body, there, calendars, fakeMicrosoft, count } = await three();
    const away = { path: /calendarView$/, respond: "serviceUnavailable" } as const;
    fakeMicrosoft.faults.next(away);
    const refused = await book(people.ada, body());
    expect(refused.status).toBe(503);
    expect(refused.json).toEqual({ error: "unreachable", sub: people.bob.accountId });
    expect(await count()).toBe(0);
    await there.anna.create("one", vevent("one", { DTSTART: ical(2, "141500Z"), DTEND: ical(2, "144500Z") }));
    fakeMicrosoft.faults.next(away);
    const taken = await book(people.ada, body({ if_unreachable: "accept" }));
    expect(taken.json.conflicts).toMatchObject([{ calendar_id: calendars.anna }]);
    fakeMicrosoft.faults.next(away);
    const accepted = await book(people.ada, moved(body({ if_unreachable: "accept" }), "16:00", "17:00"));
    expect(accepted.status, accepted.text).toBe(201);
  });

  it("is held in all three until it is confirmed", async () => {
    const { people, body, calendars, there } = await three();
    const held = await book(people.ada, body({ hold_seconds: 60 }));
    expect(held.json.state).toBe("held");
    for (const [name, person] of Object.entries(people)) {
      const calendarId = calendars[name as keyof typeof calendars];
      expect((await book(person, bookingIn(person, calendarId))).status).toBe(409);
    }
    expect((await ofBooking(people.ada, held, "POST", "/confirm")).json.state).toBe("booked");
    await people.ada.push();
    expect(there.ada.events()).toMatchObject([{ summary: "Booked" }]);
  });

  it("is confirmed only if all providers still say that the time is free", async () => {
    const { people, body, there, calendars, fakeMicrosoft } = await three();
    const held = await book(people.ada, body({ hold_seconds: 60 }));
    const confirm = (one = held) => ofBooking(people.ada, one, "POST", "/confirm");
    const away = { path: /calendarView$/, respond: "serviceUnavailable" } as const;
    fakeMicrosoft.faults.next(away);
    const unreachable = await confirm();
    expect(unreachable.status).toBe(503);
    expect(unreachable.json).toEqual({ error: "unreachable", sub: people.bob.accountId });
    await there.anna.create("one", vevent("one", { DTSTART: ical(2, "141500Z"), DTEND: ical(2, "144500Z") }));
    const taken = await confirm();
    expect(taken.status, taken.text).toBe(409);
    expect(taken.json.conflicts).toEqual([{ calendar_id: calendars.anna, start: utc("14:15"), end: utc("14:45") }]);
    expect((await ofBooking(people.ada, held, "GET")).json.state).toBe("held");
    const careless = await book(
      people.ada,
      moved(body({ hold_seconds: 60, if_unreachable: "accept" }), "16:00", "17:00"),
    );
    fakeMicrosoft.faults.next(away);
    expect((await confirm(careless)).json.state).toBe("booked");
    await people.ada.push();
    expect(there.ada.events()).toHaveLength(1);
  });
});
