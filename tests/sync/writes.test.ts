import { describe, expect, it } from "vitest";
import { otherClient } from "../fakes/other-client";
import { storedWrites } from "../fakes/stored-writes";
import { sceneOfServers } from "./scene";
import { connectPerson, day, ical, ours, type Person, vevent, watch } from "./world";

const made = sceneOfServers();

describe.each([
  ["Radicale", () => made.radicale],
  ["Xandikos", () => made.xandikos],
])("what the application writes at %s", (_name, server) => {
  it("comes to the provider, changes and goes there, and is never notified", async () => {
    const other = otherClient(await server().makeCalendar("Ours"), server());
    const person = await connectPerson(server(), server());
    await person.sync();
    const calendarId = await person.calendarId("Ours");
    const { settled } = await watch(person, made.receiver);
    const write = (event: object) => person.post(`/v1/calendars/${calendarId}/events`, event);

    expect((await write(ours("one"))).status).toBe(202);
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Ours one" }]);
    expect(await other.list()).toEqual([]);
    await person.push();
    expect((await other.list()).map(({ ics }) => ics)).toEqual([expect.stringContaining("SUMMARY:Ours one")]);
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Ours one", event_id: "one" }]);

    expect((await write(ours("one", { summary: "Renamed" }))).status).toBe(202);
    await person.push();
    await person.sync();
    expect((await other.list()).map(({ ics }) => ics)).toEqual([expect.stringContaining("SUMMARY:Renamed")]);

    expect((await person.remove(`/v1/calendars/${calendarId}/events`, { event_id: "one" })).status).toBe(202);
    await person.push();
    await person.sync();
    expect(await other.list()).toEqual([]);
    expect(await person.events(calendarId)).toEqual([]);
    expect(await settled()).toEqual([]);
    expect(await waiting(person)).toEqual([]);
  });

  it("that is written again before it was pushed comes there once", async () => {
    const other = otherClient(await server().makeCalendar("Coalesced"), server());
    const person = await connectPerson(server(), server());
    const calendarId = await person.calendarId("Coalesced");
    for (const summary of ["First", "Second", "Third"])
      await person.post(`/v1/calendars/${calendarId}/events`, ours("one", { summary }));
    await person.post(`/v1/calendars/${calendarId}/events`, ours("gone"));
    await person.remove(`/v1/calendars/${calendarId}/events`, { event_id: "gone" });
    await person.push();
    expect((await other.list()).map(({ ics }) => ics)).toEqual([expect.stringContaining("SUMMARY:Third")]);
    expect(await waiting(person)).toEqual([]);
  });

  it("of an event that others change in the meantime: what either of them says stays", async () => {
    const other = otherClient(await server().makeCalendar("Both"), server());
    const person = await connectPerson(server(), server());
    await person.sync();
    const calendarId = await person.calendarId("Both");
    await person.post(`/v1/calendars/${calendarId}/events`, ours("both"));
    await person.push();
    await person.sync();
    const alarm = "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Soon\r\nTRIGGER:-PT10M\r\nEND:VALARM\r\n";
    await person.post(`/v1/calendars/${calendarId}/events`, ours("both", { summary: "Ours, later" }));
    await other.change("Ours both", (ics) => ics.replace("END:VEVENT", `X-ROOM-KEY:42\r\n${alarm}END:VEVENT`));
    await person.push();
    const [resource] = await other.list();
    expect(resource?.ics).toContain("SUMMARY:Ours\\, later");
    expect(resource?.ics).toContain("X-ROOM-KEY:42");
    expect(resource?.ics).toContain("TRIGGER:-PT10M");
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Ours, later", event_id: "both" }]);
  });

  it("of an event that others delete in the meantime is made again", async () => {
    const other = otherClient(await server().makeCalendar("Undone"), server());
    const person = await connectPerson(server(), server());
    await person.sync();
    const calendarId = await person.calendarId("Undone");
    await person.post(`/v1/calendars/${calendarId}/events`, ours("undone"));
    await person.push();
    await other.remove("Ours undone");
    await person.post(`/v1/calendars/${calendarId}/events`, ours("undone", { summary: "Still here" }));
    await person.push();
    expect((await other.list()).map(({ ics }) => ics)).toEqual([expect.stringContaining("SUMMARY:Still here")]);
    await person.sync();
    expect(await person.events(calendarId)).toMatchObject([{ summary: "Still here", event_id: "undone" }]);
  });
});

it("a series is written, one occurrence of it moved and one removed, as others see it", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Our series"), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Our series");
  const at = (offset: number, time: string) => ({ time: `${day(offset)}T${time}:00`, tzid: "Europe/Berlin" });
  const recurrence = { frequency: "daily", interval: 1, count: 4 };
  const series = ours("series", { start: at(1, "09:00"), end: at(1, "10:00"), recurrence: { rules: [recurrence] } });
  const wrote = await person.post(`/v1/calendars/${calendarId}/events`, series);
  expect([wrote.status, wrote.text]).toEqual([202, ""]);
  await person.push();
  const [resource] = await other.list();
  expect(resource?.ics).toContain("RRULE:FREQ=DAILY");
  expect(resource?.ics).toContain(`DTSTART;TZID=Europe/Berlin:${ical(1, "090000")}`);
  const { settled } = await watch(person, made.receiver);
  await person.sync();
  const events = await person.events(calendarId, { tzid: "Europe/Berlin", localized_times: "true" });
  expect(events.map(({ start }) => start.slice(0, 16))).toEqual([1, 2, 3, 4].map((offset) => `${day(offset)}T09:00`));

  const occurrences = `/v1/calendars/${calendarId}/events/occurrences`;
  const moved = { occurrence_date: day(2), start: `${day(2)}T12:00:00Z`, end: `${day(2)}T13:00:00Z` };
  expect((await person.post(occurrences, { event_id: "series", ...moved })).status).toBe(202);
  expect(
    (await person.remove(`/v1/calendars/${calendarId}/events`, { event_id: "series", occurrence_date: day(3) })).status,
  ).toBe(202);
  await person.push();
  const [after] = await other.list();
  expect(after?.ics).toContain(`RECURRENCE-ID;TZID=Europe/Berlin:${ical(2, "090000")}`);
  expect(after?.ics).toContain(`EXDATE;TZID=Europe/Berlin:${ical(3, "090000")}`);
  await person.sync();
  expect((await person.events(calendarId)).map(({ start }) => start)).toEqual([
    expect.stringContaining(day(1)),
    `${day(2)}T12:00:00Z`,
    expect.stringContaining(day(4)),
  ]);
  expect(await settled()).toEqual([]);
});

it("a change by others to the application's event comes back as theirs, under its event_id", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Shared"), made.radicale);
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Shared");
  await person.post(`/v1/calendars/${calendarId}/events`, ours("shared"));
  await person.push();
  const { settled } = await watch(person, made.receiver);
  await other.change("Ours shared", (ics) => ics.replace("SUMMARY:Ours shared", "SUMMARY:Theirs now"));
  await person.sync();
  expect(await person.events(calendarId)).toMatchObject([{ summary: "Theirs now", event_id: "shared" }]);
  expect(await settled()).toEqual(["change"]);
});

it("a write while the server is away is brought there when it is back", async () => {
  const other = otherClient(await made.radicale.makeCalendar("Away"), made.radicale);
  await other.create("theirs", vevent("theirs"));
  const person = await connectPerson(made.radicale, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId("Away");
  await made.radicale.stop();
  expect((await person.post(`/v1/calendars/${calendarId}/events`, ours("patient"))).status).toBe(202);
  await person.push();
  await person.push();
  expect(await waiting(person)).toEqual([{ last_error: "down", refused: false }]);
  await person.sync();
  expect(await person.profile()).toMatchObject({ connected: true, sync_failures: 1, sync_error: "down" });
  expect((await person.events(calendarId)).map(({ summary }) => summary).sort()).toEqual(["Ours patient", "theirs"]);
  await made.radicale.start();
  await person.push();
  await person.sync();
  expect((await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1]).sort()).toEqual([
    "Ours patient",
    "theirs",
  ]);
  expect(await waiting(person)).toEqual([]);
  expect(await person.profile()).toMatchObject({ sync_failures: 0, sync_error: null });
});

async function waiting({ profileId }: Person) {
  const writes = await storedWrites(profileId);
  return writes.map(({ lastError, refusedAt }) => ({ last_error: lastError, refused: refusedAt !== null }));
}
