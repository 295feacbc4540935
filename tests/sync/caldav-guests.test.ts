import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSmallDav } from "../fakes/small-dav/small-dav";
import { changeCalendar } from "../fakes/stored";
import { sceneOfServers } from "./scene";
import { connectPerson, ours } from "./world";

/** Servers that store guests and invite nobody (no calendar-auto-schedule, RFC 6638). */
const made = sceneOfServers({ schedules: false });
let dav: Awaited<ReturnType<typeof startSmallDav>>;
beforeAll(async () => {
  dav = await startSmallDav({ schedules: true });
  dav.calendar("personal");
});
afterAll(() => dav.close());

const invite = { attendees: { invite: [{ email: "ben@example.com" }] } };
const unsupported = { status: 422, json: { errors: { attendees: [{ key: "errors.attendees_unsupported" }] } } };

async function person(server: Parameters<typeof connectPerson>[0] & Parameters<typeof connectPerson>[1], name: string) {
  const one = await connectPerson(server, server);
  const calendarId = await one.calendarId(name);
  const path = `/v1/calendars/${calendarId}/events`;
  const write = (id: string, more: object) => one.post(path, ours(id, more));
  const guests = async () => {
    const events = await one.events(calendarId);
    return events.map(({ attendees }) => attendees.map(({ email }: { email: string }) => email));
  };
  return { ...one, calendarId, path, write, guests };
}

describe.each(["radicale", "xandikos"] as const)("on %s", (name) => {
  it("guests are refused from the first write on, and stored by a silent one", async () => {
    const { write, push, sync, guests, path, post, remove } = await person(made[name], "Personal");
    expect(await write("one", invite)).toMatchObject(unsupported);
    expect(await write("one", { ...invite, notify_attendees: false })).toMatchObject({ status: 202 });
    await push();
    await sync();
    expect(await guests()).toEqual([["ben@example.com"]]);
    // What says nothing of guests is written, whoever they are.
    expect(await write("one", { summary: "Renamed" })).toMatchObject({ status: 202 });
    expect(await write("one", { attendees: { remove: [{ email: "ben@example.com" }] } })).toMatchObject(unsupported);
    expect(await post(path, ours("two"))).toMatchObject({ status: 202 });
    expect(await remove(path, { event_id: "one" })).toMatchObject({ status: 202 });
  });
});

it("a server that begins to invite guests, and one that stops, is known at the next sync, also where it was not known", async () => {
  const { write, sync, calendarId } = await person(dav, "personal");
  expect(await write("one", invite)).toMatchObject({ status: 202 });
  dav.options.schedules = false;
  expect(await write("two", invite)).toMatchObject({ status: 202 });
  await sync();
  expect(await write("three", invite)).toMatchObject(unsupported);
  dav.options.schedules = true;
  await sync();
  expect(await write("three", invite)).toMatchObject({ status: 202 });
  // As the previous version stored it.
  await changeCalendar(calendarId, { invites: null });
  dav.options.schedules = false;
  expect(await write("four", invite)).toMatchObject({ status: 202 });
  await sync();
  expect(await write("five", invite)).toMatchObject(unsupported);
});
