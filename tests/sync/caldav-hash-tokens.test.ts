import { afterAll, beforeAll, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { type SmallDav, startSmallDav } from "../fakes/small-dav/small-dav";
import { fileEnvironment } from "./file-environment";
import { connectPerson, ours, vevent, watch } from "./world";

/** Its sync tokens, and what it says of a calendar in a listing, are hashes of what is in the calendar. */
let dav: SmallDav;
let receiver: Receiver;
beforeAll(async () => {
  [receiver, dav] = await Promise.all([startReceiver(), startSmallDav({ tokens: "hash" })]);
});
fileEnvironment(() => ({
  CALLBACK_ALLOWED_ORIGINS: receiver.origin,
  ICLOUD_CALDAV_URL: dav.url,
  LOG_LEVEL: "error",
}));
afterAll(() => Promise.all([receiver, dav].map((one) => one.close())));

async function synced(name: string) {
  const resources = dav.calendar(name);
  const person = await connectPerson(dav, dav);
  await person.sync();
  const calendarId = await person.calendarId(name);
  const write = async (id: string) => {
    expect(await person.post(`/v1/calendars/${calendarId}/events`, ours(id))).toMatchObject({ status: 202 });
    await person.push();
  };
  const ids = async () => (await person.events(calendarId)).map(({ event_id, summary }) => event_id ?? summary);
  return { person, name, resources, write, ids };
}

it("an event that somebody deletes before it was read is gone, and told of, though the token is the one from before", async () => {
  const { person, name, resources, write, ids } = await synced("back");
  const { settled } = await watch(person, receiver);
  await write("short-lived");
  expect(await ids()).toEqual(["short-lived"]);
  for (const resource of resources.keys()) dav.remove(name, resource);
  await person.sync();
  expect(await ids()).toEqual([]);
  expect(await settled()).toEqual(["change"]);
});

it("the same beside another change", async () => {
  const { person, name, resources, write, ids } = await synced("beside");
  await write("short-lived");
  await write("stays");
  const [first = ""] = [...resources.keys()];
  dav.remove(name, first);
  dav.put(
    name,
    "theirs.ics",
    ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", vevent("theirs"), "END:VCALENDAR", ""].join("\r\n"),
  );
  await person.sync();
  expect((await ids()).sort()).toEqual(["stays", "theirs"]);
});

it("what is there is looked for once", async () => {
  const { person, write, ids } = await synced("once");
  await write("stays");
  await person.sync();
  dav.asked.length = 0;
  await person.sync();
  expect(dav.asked.filter(({ method }) => method === "REPORT")).toEqual([]);
  expect(await ids()).toEqual(["stays"]);
});
