import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { provideConnector } from "@/server/providers/connectors";
import { type FrontRequest, plain } from "../fakes/forward";
import { type ICloudFront, startICloudFront } from "../fakes/icloud-front";
import { latch } from "../fakes/latch";
import { type OtherClient, otherClient } from "../fakes/other-client";
import { noteUnhandled } from "../fakes/unhandled";
import { type BookingFields, book, bookingIn, moved, ofBooking } from "./booking";
import { scene } from "./scene";
import { connectPerson, day, ical, vevent } from "./world";

const made = scene();
let front: ICloudFront;
beforeAll(async () => {
  front = await startICloudFront(made.radicale.url);
});
afterAll(() => front.close());

const conflict = (calendar_id: string, from: string, to: string) => ({
  calendar_id,
  start: `${day(2)}T${from}:00Z`,
  end: `${day(2)}T${to}:00Z`,
});
const from = (time: string, to: string) => ({ DTSTART: ical(2, `${time}00Z`), DTEND: ical(2, `${to}00Z`) });
const isQuery = ({ method, body }: FrontRequest) => method === "REPORT" && body.includes("calendar-query");

let names = 0;

/** A person at iCloud with a calendar of their own for each test, which was synced once. */
async function booking() {
  names += 1;
  const name = `Team ${names}`;
  const other: OtherClient = otherClient(await made.radicale.makeCalendar(name), made.radicale);
  const person = await connectPerson({ url: front.url, origins: [new URL(front.home).origin] }, made.radicale);
  provideConnector("icloud", person.connector);
  onTestFinished(() => {
    provideConnector("icloud", null);
    Object.assign(front.behaviour, { instead: () => undefined, rewrite: (text: string) => text });
  });
  await person.sync();
  const calendarId = await person.calendarId(name);
  const body = (more: BookingFields = {}) => bookingIn(person, calendarId, more);
  const nothing = async () => {
    expect(await person.events(calendarId)).toEqual([]);
    expect(await db().prisma.booking.count({ where: { calendarId } })).toBe(0);
    expect(await db().prisma.providerWrite.count({ where: { calendarId } })).toBe(0);
  };
  return { other, person, calendarId, body, nothing, book: (json: object) => book(person, json) };
}

describe("a booking in a calendar at iCloud", () => {
  it("is written if the time is free there, and arrives there", async () => {
    const { book, body, person, other } = await booking();
    front.asked.length = 0;
    const booked = await book(body());
    expect(booked.status, booked.text).toBe(201);
    expect(front.asked.map(({ method }) => method).sort()).toEqual(["PROPFIND", "REPORT"]);
    await person.push();
    expect((await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1])).toEqual(["Booked"]);
  });

  it("is refused if somebody has taken the time there, although nothing was synced since", async () => {
    const { book, body, other, calendarId, nothing } = await booking();
    await other.create("dentist", vevent("dentist", from("1430", "1530")));
    await other.create("elsewhere", vevent("elsewhere", from("0900", "1000")));
    const refused = await book(body());
    expect(refused.status).toBe(409);
    expect(refused.json).toEqual({ conflicts: [conflict(calendarId, "14:30", "15:30")], problems: [] });
    await nothing();
  });

  it("is refused by an occurrence of a series, a moved one where it lies now, and not by a deleted one", async () => {
    const { book, body, other, calendarId } = await booking();
    const start = { DTSTART: ical(0, "140000Z"), DTEND: ical(0, "150000Z") };
    const main = vevent("daily", { ...start, RRULE: "FREQ=DAILY;COUNT=9", EXDATE: ical(3, "140000Z") });
    const override = vevent("daily", { "RECURRENCE-ID": ical(2, "140000Z"), ...from("1530", "1630") });
    await other.create("daily", `${main}\r\n${override}`);
    expect((await book(body())).status).toBe(201);
    expect((await book(moved(body(), "16:00", "17:00"))).json.conflicts).toEqual([
      conflict(calendarId, "15:30", "16:30"),
    ]);
    const next = { start: `${day(3)}T14:00:00Z`, end: `${day(3)}T15:00:00Z` };
    expect((await book(body({ event: next }))).status).toBe(201);
    const later = { start: `${day(4)}T14:00:00Z`, end: `${day(4)}T15:00:00Z` };
    expect((await book(body({ event: later }))).status).toBe(409);
  });

  it("is refused by a series without an end that began years ago", async () => {
    const { book, body, other } = await booking();
    await other.create(
      "old",
      vevent("old", { DTSTART: "20100101T140000Z", DTEND: "20100101T150000Z", RRULE: "FREQ=DAILY" }),
    );
    expect((await book(body())).status).toBe(409);
  });

  const me = "anna@example.com";
  const invited = (reply: string) => ["ORGANIZER:mailto:eve@example.com", `ATTENDEE;PARTSTAT=${reply}:mailto:${me}`];
  const lines = Object.entries(from("1400", "1500")).map(([name, value]) => `${name}:${value}`);
  it.each([
    ["transparent", [...lines, "TRANSP:TRANSPARENT"]],
    ["cancelled", [...lines, "STATUS:CANCELLED"]],
    ["declined", [...lines, ...invited("DECLINED")]],
    ["over when it begins", [`DTSTART:${ical(2, "130000Z")}`, `DTEND:${ical(2, "140000Z")}`]],
    ["without a length", [`DTSTART:${ical(2, "143000Z")}`, `DTEND:${ical(2, "143000Z")}`]],
    ["on the day before", [`DTSTART;VALUE=DATE:${ical(1)}`, `DTEND;VALUE=DATE:${ical(2)}`]],
  ])("is not in the way of an event that is %s", async (_, event) => {
    const { book, body, other } = await booking();
    await other.create("other", vevent("other", event));
    const booked = await book(body());
    expect(booked.status, booked.text).toBe(201);
  });

  it.each([
    ["tentative", [...lines, "STATUS:TENTATIVE"]],
    ["an invitation without an answer", [...lines, ...invited("NEEDS-ACTION")]],
    ["on that day", [`DTSTART;VALUE=DATE:${ical(2)}`, `DTEND;VALUE=DATE:${ical(3)}`]],
    ["given by its length", [`DTSTART:${ical(2, "120000Z")}`, "DURATION:PT3H"]],
  ])("is refused by an event that is %s", async (_, event) => {
    const { book, body, other } = await booking();
    await other.create("other", vevent("other", event));
    expect((await book(body())).status).toBe(409);
  });

  it("is held, then confirmed", async () => {
    const { book, body, person, other } = await booking();
    const held = await book(body({ hold_seconds: 60 }));
    expect(held.json).toMatchObject({ state: "held" });
    expect((await book(body())).status).toBe(409);
    expect((await ofBooking(person, held, "POST", "/confirm")).json).toMatchObject({ state: "booked" });
    await person.push();
    expect(await other.list()).toHaveLength(1);
  });

  it("is not in its own way when it moves, nor is what was written here and is not there yet", async () => {
    const { book, body, person, other, calendarId } = await booking();
    const first = body();
    const booked = await book(first);
    await person.push();
    expect((await book(moved(first, "14:30", "15:30"))).status).toBe(201);
    expect((await book(moved(body(), "13:30", "14:30"))).status).toBe(201);
    await person.push();
    await other.create("dentist", vevent("dentist", from("1500", "1600")));
    const refused = await book(moved(first, "14:45", "15:15"));
    expect(refused.json.conflicts).toEqual([conflict(calendarId, "15:00", "16:00")]);
    expect((await ofBooking(person, booked, "DELETE")).status).toBe(202);
    expect((await book(moved(body(), "14:30", "15:00"))).status).toBe(201);
  });
});

describe("when iCloud can't be asked", () => {
  it.each([
    ["is down", plain(500)],
    ["is away", plain(503)],
    ["throttles", plain(429, { "retry-after": "60" })],
    ["rejects the password", plain(401, { "www-authenticate": "Basic" })],
    ["breaks the connection", null],
    ["says something else", plain(200)],
    ["has lost the calendar", plain(404)],
  ])("and %s: nothing is booked, unless what was last read counts", async (_, answer) => {
    const { book, body, person, nothing } = await booking();
    front.behaviour.instead = (one) => (isQuery(one) ? answer : undefined);
    const refused = await book(body());
    expect(refused.status).toBe(503);
    expect(refused.json).toEqual({ error: "unreachable", sub: person.accountId });
    await nothing();
    const accepted = await book(body({ if_unreachable: "accept" }));
    expect(accepted.status, accepted.text).toBe(201);
  });

  it("and lists not all, or says half of an event: nothing is booked", async () => {
    const { book, body, other, nothing } = await booking();
    await other.create("early", vevent("early", from("1300", "1345")));
    const half = (text: string) => text.replace(/DTSTART[^\r\n&]*/, "X-START:1");
    const full = (text: string) =>
      text.replace(
        "</multistatus>",
        "<response><href>/</href><status>HTTP/1.1 507 Insufficient Storage</status></response></multistatus>",
      );
    for (const rewrite of [half, full]) {
      let rewritten = 0;
      front.behaviour.rewrite = (text) => {
        const changed = rewrite(text);
        if (changed !== text) rewritten += 1;
        return changed;
      };
      expect((await book(body())).status).toBe(503);
      expect(rewritten).toBeGreaterThan(0);
    }
    front.behaviour.rewrite = (text) => text;
    await nothing();
    expect((await book(body())).status).toBe(201);
  });

  it("and hangs: the answer comes in five seconds, and no request of it is left", async () => {
    const unhandled = noteUnhandled();
    const { book, body, nothing } = await booking();
    const gate = latch();
    front.behaviour.until = gate.opened;
    const began = performance.now();
    expect((await book(body())).status).toBe(503);
    expect(performance.now() - began).toBeLessThan(8_000);
    await nothing();
    gate.open();
    front.behaviour.until = Promise.resolve();
    expect((await book(body())).status).toBe(201);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
