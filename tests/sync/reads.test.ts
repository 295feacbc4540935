import { describe, expect, it, onTestFinished } from "vitest";
import { basic } from "../fakes/dav-server";
import { startICloudFront } from "../fakes/icloud-front";
import { otherClient } from "../fakes/other-client";
import { sceneOfServers } from "./scene";
import { connectPerson, day, ical, vevent, watch } from "./world";

const made = sceneOfServers();
const inBerlin = { tzid: "Europe/Berlin", localized_times: "true" };

describe.each([
  ["Radicale", () => made.radicale],
  ["Xandikos", () => made.xandikos],
])("what others write at %s", (_name, server) => {
  it("is read by the API, and told of", async () => {
    const address = await server().makeCalendar("Reads");
    const other = otherClient(address, server());
    const person = await connectPerson(server(), server());
    await other.create("before", vevent("before"));
    await person.sync();
    const calendarId = await person.calendarId("Reads");
    const summaries = async () => (await person.events(calendarId)).map(({ summary }) => summary).sort();
    expect(await summaries()).toEqual(["before"]);
    expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_failures: 0, sync_error: null });
    const { settled, forget } = await watch(person, made.receiver);

    await other.create("after", vevent("after", { LOCATION: "Room 1" }));
    await person.sync();
    expect(await summaries()).toEqual(["after", "before"]);
    expect(await settled()).toEqual(["change"]);
    forget();

    await other.change("/after.ics", (ics) => ics.replace("SUMMARY:after", "SUMMARY:later"));
    await person.sync();
    expect(await summaries()).toEqual(["before", "later"]);
    expect(await settled()).toEqual(["change"]);
    forget();

    await other.change("/after.ics", (ics) => ics.replaceAll(ical(2, ""), ical(5, "")));
    await person.sync();
    const moved = (await person.events(calendarId)).find(({ summary }) => summary === "later");
    expect(moved.start).toContain(day(5));
    expect(await settled()).toEqual(["change"]);
    forget();

    await other.remove("/after.ics");
    await person.sync();
    expect(await summaries()).toEqual(["before"]);
    expect(await settled()).toEqual(["change"]);
    forget();

    await person.sync();
    expect(await settled()).toEqual([]);
  });
});

it("a series with a moved, a renamed and a removed occurrence is read whole", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Series"), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  const start = (offset: number, time: string) => `DTSTART;TZID=Europe/Berlin:${ical(offset, time)}`;
  const end = (offset: number, time: string) => `DTEND;TZID=Europe/Berlin:${ical(offset, time)}`;
  const of = (offset: number) => `RECURRENCE-ID;TZID=Europe/Berlin:${ical(offset, "090000")}`;
  await other.create(
    "series",
    [
      vevent("series", [
        ...[start(1, "090000"), end(1, "091500"), "RRULE:FREQ=DAILY;COUNT=5"],
        ...[`EXDATE;TZID=Europe/Berlin:${ical(2, "090000")}`, "SUMMARY:Stand-up"],
      ]),
      vevent("series", [of(3), start(3, "120000"), end(3, "121500"), "SUMMARY:Stand-up"]),
      vevent("series", [of(4), start(4, "090000"), end(4, "091500"), "SUMMARY:Stand-up with guests"]),
    ].join("\r\n"),
  );
  await person.sync();
  const events = await person.events(await person.calendarId("Series"), inBerlin);
  expect(events.map(({ summary, start }) => [start.slice(0, 16), summary])).toEqual([
    [`${day(1)}T09:00`, "Stand-up"],
    [`${day(3)}T12:00`, "Stand-up"],
    [`${day(4)}T09:00`, "Stand-up with guests"],
    [`${day(5)}T09:00`, "Stand-up"],
  ]);
  await other.change("series", (ics) => ics.replace("COUNT=5", "COUNT=6"));
  await person.sync();
  expect(await person.events(await person.calendarId("Series"))).toHaveLength(5);
});

it("a calendar that is deleted stays listed as deleted, and a renamed one has its new name", async () => {
  const address = await made.radicale.makeCalendar("Short-lived");
  const other = otherClient(address, made.radicale);
  await other.create("one", vevent("one"));
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const id = await person.calendarId("Short-lived");
  const { settled } = await watch(person, made.receiver);
  const listed = async () =>
    (await person.get("/v1/calendars")).json.calendars.find((one: { calendar_id: string }) => one.calendar_id === id);
  expect(await listed()).toMatchObject({ calendar_deleted: false });
  const headers = { authorization: basic(made.radicale) };
  expect((await fetch(address, { method: "DELETE", headers })).status).toBe(200);
  await person.sync();
  expect(await listed()).toMatchObject({ calendar_deleted: true, calendar_name: "Short-lived" });
  expect(await settled()).toEqual(["change"]);
});

it("a bad resource is left out, and those beside it are read", async () => {
  const address = await made.radicale.makeCalendar("Mixed");
  const other = otherClient(address, made.radicale);
  const names = ["good", "no-start", "nonsense", "backwards", "no-such-rule", "also-good"];
  for (const name of names) await other.create(name, vevent(name));
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const within = (uid: string, change: (text: string) => string) => (text: string) =>
    text.replaceAll(new RegExp(`BEGIN:VCALENDAR(?:(?!END:VCALENDAR)[^])*UID:${uid}\\b[^]*?END:VCALENDAR`, "g"), change);
  const spoilt = [
    within("no-start", (text) => text.replace(/DTSTART[^\n]*\n/, "")),
    within("nonsense", () => "This is not a calendar at all"),
    within("backwards", (text) => text.replace(/DTEND:.*/, `DTEND:${ical(1, "080000Z")}`)),
    within("no-such-rule", (text) => text.replace("END:VEVENT", "RRULE:FREQ=SOMETIMES\r\nEND:VEVENT")),
  ];
  front.behaviour.rewrite = (text) => spoilt.reduce((changed, spoil) => spoil(changed), text);
  const person = await connectPerson({ url: front.url, origins: [new URL(front.home).origin] }, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Mixed");
  const read = async () => (await person.events(calendarId)).map(({ summary }) => summary);
  expect(await read()).toEqual(expect.arrayContaining(["good", "also-good"]));
  for (const gone of ["no-start", "nonsense"]) expect(await read()).not.toContain(gone);
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_failures: 0, sync_error: null });

  front.behaviour.rewrite = (text) => text;
  for (const name of names)
    await other.change(`/${name}.ics`, (ics) => ics.replace("END:VEVENT", "LOCATION:Room 1\r\nEND:VEVENT"));
  await person.sync();
  expect((await read()).sort()).toEqual([...names].sort());
});
