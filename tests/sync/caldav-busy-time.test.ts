import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Instant } from "@/server/domain/time/instant";
import { caldavConnector } from "@/server/providers/caldav/connector";
import { basic, type Login } from "../fakes/dav-server";
import { mailboxOf } from "../fakes/mailbox";
import { otherClient } from "../fakes/other-client";
import { startRadicale } from "../fakes/radicale";
import { startSabre } from "../fakes/sabre";
import { startXandikos } from "../fakes/xandikos";
import { day, ical, vevent } from "./world";

interface Server extends Login {
  url: string;
  makeCalendar(name: string): Promise<string>;
  close(): Promise<void>;
}

const servers: [string, () => Promise<Server>][] = [
  ["Radicale", startRadicale],
  ["Xandikos", startXandikos],
  ["sabre/dav", startSabre],
];

const DAY_MS = 86_400_000;
const at = (offset: number, time: string) => Date.parse(`${day(offset)}T${time}:00Z`) as Instant;
/** A day, as bookings ask for it: one more on either side. */
const window = { from: (at(2, "00:00") - DAY_MS) as Instant, to: (at(3, "00:00") + DAY_MS) as Instant };

describe.each(servers)("what time is taken in a calendar at %s", (name, start) => {
  let server: Server;
  let names = 0;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());

  async function calendarOf(events: readonly string[]) {
    names += 1;
    const url = await server.makeCalendar(`Team ${names}`);
    const other = otherClient(url, server);
    for (const [i, event] of events.entries()) await other.create(`event-${i}`, event);
    const connector = caldavConnector({ entry: server.url, deadlineMs: 20_000 });
    const account = await connector.signIn.verify({ username: server.user, password: server.password });
    const mailbox = mailboxOf(connector, account);
    const listed = (await mailbox.calendars(null)).calendars.find(({ name }) => name === `Team ${names}`);
    const calendarId = listed?.externalId ?? "";
    const taken = async (without: string[] = []) => {
      const spans = (await mailbox.busyTime?.({ calendarId, window, without: new Set(without) })) ?? [];
      return spans
        .map(({ starts, ends, allDay }) => `${text(starts)} ${text(ends)}${allDay ? " all day" : ""}`)
        .filter((one) => one.includes(day(2)) || one.includes(day(3)))
        .sort();
    };
    return { url, calendarId, taken, other };
  }
  const text = (instant: number) => new Date(instant).toISOString().slice(0, 16);

  it("is that of timed, all-day and long events, and of every occurrence of a series where it lies now", async () => {
    const { taken } = await calendarOf([
      vevent("timed", { DTSTART: ical(2, "100000Z"), DTEND: ical(2, "110000Z") }),
      vevent("day", { "DTSTART;VALUE=DATE": ical(2), "DTEND;VALUE=DATE": ical(3) }),
      vevent("long", { DTSTART: ical(-5, "080000Z"), DTEND: ical(2, "080000Z") }),
      vevent("before", { DTSTART: ical(-9, "080000Z"), DTEND: ical(-9, "090000Z") }),
      `${vevent("series", { DTSTART: ical(-20, "120000Z"), DTEND: ical(-20, "123000Z"), RRULE: "FREQ=DAILY" })}
${vevent("series", { "RECURRENCE-ID": ical(2, "120000Z"), DTSTART: ical(2, "150000Z"), DTEND: ical(2, "153000Z") })}
${vevent("series", { "RECURRENCE-ID": ical(1, "120000Z"), DTSTART: ical(1, "120000Z"), DTEND: ical(1, "123000Z"), STATUS: "CANCELLED" })}`,
      // Moved into the day from far before it.
      `${vevent("moved", { DTSTART: ical(-20, "070000Z"), DTEND: ical(-20, "073000Z"), RRULE: "FREQ=DAILY;COUNT=2" })}
${vevent("moved", { "RECURRENCE-ID": ical(-19, "070000Z"), DTSTART: ical(2, "170000Z"), DTEND: ical(2, "173000Z") })}`,
    ]);
    expect(await taken()).toEqual([
      `${day(-5)}T08:00 ${day(2)}T08:00`,
      `${day(2)}T00:00 ${day(3)}T00:00 all day`,
      `${day(2)}T10:00 ${day(2)}T11:00`,
      `${day(2)}T15:00 ${day(2)}T15:30`,
      `${day(2)}T17:00 ${day(2)}T17:30`,
      `${day(3)}T12:00 ${day(3)}T12:30`,
    ]);
  });

  it("is not that of transparent, cancelled and declined events, nor of those that are left out", async () => {
    const times = [`DTSTART:${ical(2, "100000Z")}`, `DTEND:${ical(2, "110000Z")}`];
    const replied = (reply: string) => [
      ...["ORGANIZER:mailto:eve@example.com", `ATTENDEE;PARTSTAT=${reply}:mailto:${server.user}`],
    ];
    const { taken, calendarId } = await calendarOf([
      vevent("free", [...times, "TRANSP:TRANSPARENT"]),
      vevent("off", [...times, "STATUS:CANCELLED"]),
      vevent("no", [...times, ...replied("DECLINED")]),
      vevent("own", { DTSTART: ical(2, "130000Z"), DTEND: ical(2, "140000Z") }),
      vevent("pending", { DTSTART: ical(2, "150000Z"), DTEND: ical(2, "160000Z") }),
      // Two days, of which the second is transparent.
      `${vevent("partly", { DTSTART: ical(1, "170000Z"), DTEND: ical(1, "180000Z"), RRULE: "FREQ=DAILY;COUNT=2" })}
${vevent("partly", { "RECURRENCE-ID": ical(2, "170000Z"), DTSTART: ical(2, "170000Z"), DTEND: ical(2, "180000Z"), TRANSP: "TRANSPARENT" })}`,
    ]);
    expect(await taken([`${calendarId}event-3.ics`, "event-4.ics"])).toEqual([]);
    expect(await taken()).toEqual([`${day(2)}T13:00 ${day(2)}T14:00`, `${day(2)}T15:00 ${day(2)}T16:00`]);
  });

  it("is in the calendar's own zone where an event names none", async () => {
    const { taken, url } = await calendarOf([
      vevent("floating", { DTSTART: ical(2, "100000"), DTEND: ical(2, "110000") }),
    ]);
    expect(await taken()).toEqual([`${day(2)}T10:00 ${day(2)}T11:00`]);
    const rules = ["DTSTART:19700101T000000", "TZOFFSETFROM:+0900", "TZOFFSETTO:+0900"];
    const standard = ["BEGIN:STANDARD", ...rules, "END:STANDARD"];
    const timezone = ["BEGIN:VTIMEZONE", "TZID:Asia/Tokyo", ...standard, "END:VTIMEZONE"];
    const text = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", ...timezone, "END:VCALENDAR", ""].join("\r\n");
    const property = `<D:set><D:prop><C:calendar-timezone>${text}</C:calendar-timezone></D:prop></D:set>`;
    const body = `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${property}</D:propertyupdate>`;
    const headers = { authorization: basic(server), "content-type": "application/xml" };
    await fetch(url, { method: "PROPPATCH", headers, body });
    // Xandikos does not keep it.
    const expected = name === "Xandikos" ? `${day(2)}T10:00 ${day(2)}T11:00` : `${day(2)}T01:00 ${day(2)}T02:00`;
    expect(await taken()).toEqual([expected]);
  });
});
