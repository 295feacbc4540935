import { expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../fakes/clock";
import { plain } from "../fakes/forward";
import { startICloudFront } from "../fakes/icloud-front";
import { otherClient } from "../fakes/other-client";
import { storedWrites } from "../fakes/stored-writes";
import { scene } from "./scene";
import { connectPerson, ours } from "./world";

const made = scene();

/** A person at a server that can be away. The calendar is empty and synced, and the clock stands still. */
async function personAt(calendar: string) {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const person = await connectPerson({ url: front.url, origins: [new URL(front.home).origin] }, made.radicale);
  await person.sync();
  const calendarId = await person.calendarId(calendar);
  const clock = fakeClock();
  return {
    front,
    person,
    clock,
    write: (eventId: string) => person.post(`/v1/calendars/${calendarId}/events`, ours(eventId)),
    written: async () => (await other.list()).map(({ ics }) => /SUMMARY:(.*)/.exec(ics)?.[1]).sort(),
    /** In how many seconds each waiting write is due, in the order in which they were made. */
    waits: async () => {
      const writes = await storedWrites(person.profileId);
      return writes.map(({ dueAt }) => Math.round((dueAt.getTime() - clock.now()) / 1_000));
    },
    passed: async (seconds: number, crews = [person.syncing, person.pushing]) => {
      clock.advance(seconds * 1_000);
      for (const crew of crews) await crew.drain();
    },
  };
}

it("what waits for a server that was away is written as soon as a sync finds it there again", async () => {
  const { front, person, write, written, waits, passed } = await personAt("Synced again");
  front.behaviour.instead = () => null;
  await write("patient");
  for (const seconds of [0, 5, 10, 20, 40, 80, 160]) await passed(seconds);
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: "down" });
  expect(await waits()).toEqual([320]);
  front.behaviour.instead = () => undefined;
  await passed(300);
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: null });
  expect(await written()).toEqual(["Ours patient"]);
  expect(await waits()).toEqual([]);
});

it("what waits for a server that was away is written as soon as another write comes through", async () => {
  const { front, person, write, written, waits, passed } = await personAt("Written again");
  const onlyPushes = [person.pushing];
  front.behaviour.instead = () => null;
  await write("first");
  for (const seconds of [0, 5, 10, 20, 40, 80]) await passed(seconds, onlyPushes);
  await write("second");
  await passed(0, onlyPushes);
  expect(await waits()).toEqual([160, 5]);
  front.behaviour.instead = () => undefined;
  await passed(5, onlyPushes);
  expect(await written()).toEqual(["Ours first", "Ours second"]);
  expect(await waits()).toEqual([]);
});

it("a new write that comes through hurries those of an outage that the sync still believes in", async () => {
  const { front, person, write, written, waits, passed } = await personAt("Believed away");
  front.behaviour.instead = () => null;
  await write("first");
  for (const seconds of [0, 5, 10, 20, 40, 80]) await passed(seconds);
  expect(await person.profile()).toMatchObject({ sync_error: "down" });
  front.behaviour.instead = () => undefined;
  await write("second");
  await passed(0, [person.pushing]);
  expect(await written()).toEqual(["Ours first", "Ours second"]);
  expect(await waits()).toEqual([]);
});

it("what the provider asked to be given time for waits that time, whatever else comes through", async () => {
  const { front, person, write, written, waits, passed } = await personAt("Given time");
  front.behaviour.instead = () => plain(503, { "retry-after": "600" });
  await write("first");
  await passed(0, [person.pushing]);
  front.behaviour.instead = () => null;
  await passed(120, [person.syncing]);
  expect(await person.profile()).toMatchObject({ sync_error: "down" });
  front.behaviour.instead = () => undefined;
  await passed(120);
  expect(await person.profile()).toMatchObject({ sync_error: null });
  expect(await waits()).toEqual([360]);
  await write("second");
  await passed(0, [person.pushing]);
  expect(await written()).toEqual(["Ours second"]);
  expect(await waits()).toEqual([360]);
});
