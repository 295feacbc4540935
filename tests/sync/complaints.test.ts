import { describe, expect, it, onTestFinished } from "vitest";
import { startICloudFront } from "../fakes/icloud-front";
import { type OtherClient, otherClient } from "../fakes/other-client";
import { scene } from "./scene";
import { connectPerson, day, ical, ours, type Person, vevent } from "./world";

/** What people complained about at calendar services that sync, as far as CalDAV has it. */
const made = scene();
const inBerlin = { tzid: "Europe/Berlin", localized_times: "true" };

interface Suffering {
  other: OtherClient;
  person: Person;
  calendarId: string;
  front: Awaited<ReturnType<typeof startICloudFront>>;
  write(event: object): Promise<void>;
}

async function suffering(calendar: string): Promise<Suffering> {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const person = await connectPerson({ url: front.url, origins: [new URL(front.home).origin] }, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const write = async (event: object) => {
    const answer = await person.post(`/v1/calendars/${calendarId}/events`, event);
    if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
    await person.push();
  };
  return { other, person, calendarId, front, write };
}

const berlin = (name: string, offset: number, time: string) => `${name};TZID=Europe/Berlin:${ical(offset, time)}`;

describe("people say", () => {
  it('"my weekly nine o\'clock is at ten since the clocks changed"', async () => {
    const { other, person, calendarId, write } = await suffering("Clocks");
    const weekly = ["RRULE:FREQ=WEEKLY;COUNT=28", berlin("DTSTART", 1, "090000"), berlin("DTEND", 1, "093000")];
    await other.create("theirs", vevent("theirs", weekly));
    const at = (time: string) => ({ time: `${day(1)}T${time}:00`, tzid: "Europe/Berlin" });
    const recurrence = { rules: [{ frequency: "weekly", count: 28 }] };
    await write(ours("ours", { start: at("09:00"), end: at("09:30"), recurrence }));
    await person.sync();
    const events = await person.events(calendarId, { ...inBerlin, to: day(200) });
    expect(events).toHaveLength(56);
    expect(new Set(events.map(({ start }) => start.slice(11, 16)))).toEqual(new Set(["09:00"]));
    expect(new Set(events.map(({ start }) => start.slice(19)))).toEqual(new Set(["+01:00", "+02:00"]));
  });

  it('"my holiday begins a day early", wherever it is read', async () => {
    const { other, person, calendarId, write } = await suffering("Holidays");
    const days = [`DTSTART;VALUE=DATE:${ical(3)}`, `DTEND;VALUE=DATE:${ical(5)}`];
    await other.create("theirs", vevent("theirs", days));
    await write(ours("ours", { start: day(3), end: day(5) }));
    await person.sync();
    expect((await other.find("Ours ours"))?.ics).toContain(`DTSTART;VALUE=DATE:${ical(3)}`);
    for (const tzid of ["Pacific/Kiritimati", "Etc/UTC", "Pacific/Pago_Pago"]) {
      const read = await person.events(calendarId, { tzid });
      expect(read.map(({ start, end }) => [start, end])).toEqual(Array(2).fill([day(3), day(5)]));
    }
  });

  it('"what I deleted is still there", since the server had forgotten where we were', async () => {
    const { other, person, calendarId } = await suffering("Ghosts");
    for (const name of ["stays", "deleted"]) await other.create(name, vevent(name));
    await person.sync();
    await other.remove("/deleted.ics");
    await made.radicale.forgetTokens();
    await person.sync();
    expect((await person.events(calendarId)).map(({ summary }) => summary)).toEqual(["stays"]);
  });

  it('"the meeting that was called off is still there, and the moved one is at its old time"', async () => {
    const { other, person, calendarId } = await suffering("Called off");
    const daily = ["RRULE:FREQ=DAILY;COUNT=3", berlin("DTSTART", 1, "090000"), berlin("DTEND", 1, "093000")];
    await other.create("series", vevent("series", daily));
    await other.create("once", vevent("once"));
    await person.sync();
    const off = vevent("series", [
      ...[berlin("RECURRENCE-ID", 2, "090000"), berlin("DTSTART", 2, "090000"), berlin("DTEND", 2, "093000")],
      "STATUS:CANCELLED",
    ]);
    const moved = vevent("series", [
      ...[berlin("RECURRENCE-ID", 3, "090000"), berlin("DTSTART", 4, "150000"), berlin("DTEND", 4, "153000")],
    ]);
    await other.change("/series.ics", (ics) => ics.replace("END:VCALENDAR", `${off}\r\n${moved}\r\nEND:VCALENDAR`));
    await other.change("/once.ics", (ics) => ics.replace("END:VEVENT", "STATUS:CANCELLED\r\nEND:VEVENT"));
    await person.sync();
    const read = await person.events(calendarId, inBerlin);
    expect(read.map(({ start }) => start.slice(0, 16))).toEqual([`${day(1)}T09:00`, `${day(4)}T15:00`]);
  });

  it('"everything is there twice since I connected again"', async () => {
    const { other, person, calendarId, write } = await suffering("Twice");
    await other.create("theirs", vevent("theirs"));
    await write(ours("ours"));
    await person.sync();
    const before = (await person.events(calendarId)).map(({ event_uid }) => event_uid);
    await person.connectAgain(made.radicale);
    await made.radicale.forgetTokens();
    await other.create("new", vevent("new"));
    await person.sync();
    const after = (await person.events(calendarId)).map(({ event_uid }) => event_uid);
    expect(after).toHaveLength(3);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(await other.list()).toHaveLength(3);
  });

  it('"my guests were invited again and again"', async () => {
    const { person, front, write } = await suffering("Invitations");
    const attendees = { invite: [{ email: "guest@example.net" }], remove: [] };
    await write(ours("invited", { attendees, notify_attendees: true }));
    for (let round = 0; round < 3; round += 1) {
      await person.sync();
      await person.push();
    }
    expect(front.asked.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  it('"my guests got mail although they should not", and none later when they should', async () => {
    const { other, write } = await suffering("Quiet");
    const attendees = { invite: [{ email: "guest@example.net" }], remove: [] };
    await write(ours("quiet", { attendees, notify_attendees: false }));
    const guest = async () =>
      (await other.find("Ours quiet"))?.ics.replaceAll("\r\n ", "").match(/ATTENDEE.*guest@example.net/)?.[0];
    expect(await guest()).toMatch(/SCHEDULE-AGENT=(CLIENT|NONE)/);
    await write(ours("quiet", { location: { description: "Room 2" }, notify_attendees: true }));
    expect(await guest()).not.toMatch(/SCHEDULE-AGENT=(CLIENT|NONE)/);
  });

  it('"the invitation from Outlook is hours off"', async () => {
    const { other, person, calendarId } = await suffering("Outlook");
    const windows = ["DTSTART;TZID=W. Europe Standard Time:", "DTEND;TZID=W. Europe Standard Time:"];
    const lines = [`${windows[0]}${ical(2, "090000")}`, `${windows[1]}${ical(2, "100000")}`];
    await other.create("windows", vevent("windows", lines));
    const own = "DTSTART;TZID=Customized Time Zone:";
    const custom = [
      "BEGIN:VTIMEZONE\r\nTZID:Customized Time Zone\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000",
      "TZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nEND:STANDARD\r\nEND:VTIMEZONE",
      vevent("custom", [`${own}${ical(2, "090000")}`, "DURATION:PT1H"]),
    ];
    await other.create("custom", custom.join("\r\n"));
    await person.sync();
    const read = await person.events(calendarId);
    const starts = Object.fromEntries(read.map(({ summary, start }) => [summary, start]));
    const [local] = (await person.events(calendarId, inBerlin)).filter(({ summary }) => summary === "windows");
    expect(local.start.slice(0, 16)).toBe(`${day(2)}T09:00`);
    expect(starts.custom).toBe(`${day(2)}T03:30:00Z`);
  });

  it('"it overwrote what I had just changed", or could not be written any more', async () => {
    const { other, person, front, calendarId, write } = await suffering("Overwritten");
    front.behaviour.etagless = true;
    await write(ours("etagless"));
    await write(ours("etagless", { summary: "Second" }));
    await other.change("Second", (ics) => ics.replace("END:VEVENT", "X-APPLE-TRAVEL-DURATION:PT15M\r\nEND:VEVENT"));
    await write(ours("etagless", { summary: "Third" }));
    await person.sync();
    const [resource, ...more] = await other.list();
    expect(more).toEqual([]);
    expect(resource?.ics).toContain("SUMMARY:Third");
    expect(resource?.ics).toContain("X-APPLE-TRAVEL-DURATION:PT15M");
    expect(front.asked.filter(({ method }) => method === "PUT")).toHaveLength(3);
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Third", event_id: "etagless" }]);
  });

  it('"one odd event, and none of the others come any more"', async () => {
    const { other, person, calendarId } = await suffering("Odd");
    const utc = [`DTSTART:${ical(1, "100000Z")}`, `DTEND:${ical(1, "103000Z")}`];
    await other.create("good", vevent("good"));
    await other.create("rdates", vevent("rdates", [...utc, `RDATE:${ical(4, "100000Z")},${ical(6, "100000Z")}`]));
    await other.create("until", vevent("until", [...utc, `RRULE:FREQ=DAILY;UNTIL=${ical(3)}`]));
    await other.create("often", vevent("often", [...utc, "RRULE:FREQ=SECONDLY;COUNT=3"]));
    await other.create("never", vevent("never", [...utc, "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"]));
    await person.sync();
    const read = await person.events(calendarId);
    const count = (name: string) => read.filter(({ summary }) => summary === name).length;
    expect([count("good"), count("rdates"), count("until")]).toEqual([1, 3, 3]);
    expect(await person.profile()).toMatchObject({ sync_failures: 0, sync_error: null });
  });

  it('"times are in Greenwich time"', async () => {
    const { other, person, calendarId } = await suffering("Greenwich");
    const lines = [
      `DTSTART;TZID=America/New_York:${ical(2, "090000")}`,
      `DTEND;TZID=America/New_York:${ical(2, "100000")}`,
    ];
    await other.create("newyork", vevent("newyork", lines));
    await person.sync();
    const query = { tzid: "America/New_York", localized_times: "true" };
    const [read] = await person.events(calendarId, query);
    expect(read.start.slice(0, 16)).toBe(`${day(2)}T09:00`);
  });
});
