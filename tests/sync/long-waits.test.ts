import { expect, it, onTestFinished, vi } from "vitest";
import { db } from "@/server/db/client";
import { syncs } from "@/server/sync/syncs";
import { fakeClock } from "../fakes/clock";
import { startICloudFront } from "../fakes/icloud-front";
import { withMailbox } from "../fakes/mailbox";
import { otherClient } from "../fakes/other-client";
import { setConnected, setSyncDue, storedSync } from "../fakes/stored";
import { livingEvents } from "../fakes/stored-events";
import { refuseWrites, storedWrite } from "../fakes/stored-writes";
import { scene } from "./scene";
import { connectPerson, ours, type Person, POLL_MS, vevent, watch } from "./world";

const made = scene();
const HOUR_MS = 60 * 60_000;

async function fronted(calendar: string) {
  const other = otherClient(await made.radicale.makeCalendar(calendar), made.radicale);
  await other.create("theirs", vevent("theirs"));
  const front = await startICloudFront(made.radicale.url);
  onTestFinished(() => front.close());
  const place = { url: front.url, origins: [new URL(front.home).origin] };
  return { other, front, person: await connectPerson(place, made.radicale) };
}

/** `due` in milliseconds since 1970. */
async function waiting({ profileId }: Person) {
  const { attempts, lastError: error, refusedAt, dueAt } = await storedWrite(profileId);
  return { attempts, error, refused: refusedAt !== null, due: dueAt.getTime() };
}

async function written(calendar: string) {
  const scene = await fronted(calendar);
  const { person, front } = scene;
  await person.sync();
  const channel = await watch(person, made.receiver);
  const calendarId = await person.calendarId(calendar);
  const clock = fakeClock();
  front.behaviour.instead = () => null;
  const write = (eventId: string, more: object = {}) =>
    person.post(`/v1/calendars/${calendarId}/events`, ours(eventId, more));
  await write("late");
  const living = async () => (await livingEvents(calendarId)).map(({ summary }) => summary);
  return { ...scene, ...channel, clock, living, write };
}

/** Its provider has refused nothing: what the application was promised with a 202 is not undone because of an outage. */
it("a write whose provider is away for 48 hours is given up then, shown to staff, and made when it answers", async () => {
  const { front, other, person, clock, living, settled } = await written("Away for long");
  const began = clock.now();
  await person.pushing.drain();
  let last = await waiting(person);
  while (!last.refused && clock.now() - began < 60 * HOUR_MS) {
    expect(last.error).toBe("down");
    clock.advance(Math.max(last.due - clock.now(), 0) + 1);
    await person.pushing.drain();
    last = await waiting(person);
  }
  const tookMs = clock.now() - began;
  expect(tookMs).toBeGreaterThanOrEqual(48 * HOUR_MS);
  expect(tookMs).toBeLessThan(49 * HOUR_MS);
  expect(last).toMatchObject({ error: "down", refused: true });
  expect(last.attempts).toBeGreaterThan(50);
  expect(await living()).toEqual(["Ours late", "theirs"]);

  clock.advance(24 * HOUR_MS);
  front.behaviour.instead = () => undefined;
  await person.pushing.drain();
  expect(await waiting(person)).toMatchObject({ attempts: last.attempts, refused: true });
  await person.sync();
  expect(await living()).toEqual(["Ours late", "theirs"]);
  expect(await waiting(person)).toMatchObject({ attempts: 0, refused: false });
  await person.pushing.drain();
  expect(await other.find("Ours late")).toBeDefined();
  await person.sync();
  expect(await living()).toEqual(["Ours late", "theirs"]);
  expect(await settled()).toEqual([]);
}, 300_000); // over fifty attempts

it("what was given up in an outage is still the application's word for an event that others changed in it", async () => {
  const { front, other, person, clock, living, write } = await written("Edited while away");
  front.behaviour.instead = () => undefined;
  await person.push();
  await person.sync();
  await write("late", { summary: "Edited" });
  await giveUp(person, "down", clock.now() + 50 * HOUR_MS);
  await other.change("Ours late", (ics) => ics.replace("END:VEVENT", "X-THEIRS:1\r\nEND:VEVENT"));
  clock.advance(60 * HOUR_MS);
  await person.sync();
  expect(await living()).toEqual(["Edited", "theirs"]);
  await person.pushing.drain();
  expect((await other.find("Edited"))?.ics).toContain("X-THEIRS:1");
});

it("what was given up although others came through on the day before stays so, however long the provider was away since", async () => {
  const { front, person, clock } = await written("Away for hours");
  front.behaviour.instead = () => undefined;
  await person.sync();
  clock.advance(20 * HOUR_MS);
  await giveUp(person, "down", clock.now());
  clock.advance(30 * HOUR_MS);
  await person.sync();
  expect(await waiting(person)).toMatchObject({ error: "down", refused: true });
});

it.each(["down", "internal", "conflict"])(
  "a write that was given up for %s while others came through stays so, and our reads say it",
  async (reason) => {
    const { front, person, clock, living, settled } = await written(`Given up for ${reason}`);
    front.behaviour.instead = () => undefined;
    await person.sync();
    await giveUp(person, reason, clock.now());
    await person.sync();
    front.asked.length = 0;
    await person.sync();
    expect(front.asked.filter(({ method }) => method === "REPORT")).toEqual([]);
    expect(await living()).toEqual(["Ours late", "theirs"]);
    expect(await waiting(person)).toMatchObject({ error: reason, refused: true });
    expect(await settled()).toEqual([]);
  },
);

async function giveUp({ profileId }: Person, reason: string, at: number): Promise<void> {
  await refuseWrites(profileId, reason, { refusedAt: new Date(at), attempts: 60 });
}

it("a write that nobody could try for 48 hours is not given up at its first failure", async () => {
  const { front, other, person, clock } = await written("Nobody tried");
  await setConnected(person.profileId, false);
  clock.advance(72 * HOUR_MS);
  await person.pushing.drain();
  expect(await waiting(person)).toMatchObject({ attempts: 0, refused: false });
  await setConnected(person.profileId, true);
  await person.pushing.drain();
  expect(await waiting(person)).toMatchObject({ attempts: 1, error: "down", refused: false });
  front.behaviour.instead = () => undefined;
  await person.push();
  expect(await other.find("Ours late")).toBeDefined();
});

it("a write that nobody could try for 48 hours is given up at its tenth failure", async () => {
  const { person, clock } = await written("Tried ten times");
  await setConnected(person.profileId, false);
  clock.advance(72 * HOUR_MS);
  await setConnected(person.profileId, true);
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await person.pushing.drain();
    const { attempts, refused, due } = await waiting(person);
    expect({ attempts, refused }).toEqual({ attempts: attempt, refused: attempt === 10 });
    clock.advance(Math.max(due - clock.now(), 0) + 1);
  }
}, 300_000);

it("a sync that takes longer than its lease keeps it, and nobody else begins another", async () => {
  const { front, person } = await fronted("Longer than a lease");
  const clock = fakeClock();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const own = crewWith(
    withMailbox(person.connector, (mailbox) => ({ calendars: (token) => held.then(() => mailbox.calendars(token)) })),
  );
  const another = crewWith(person.connector);
  await setSyncDue(person.profileId, new Date(clock.now()));
  const syncing = own.drain(60_000);
  await expect.poll(async () => (await claimOf(person)).lease).not.toBe(null);
  const { lease } = await claimOf(person);
  for (let renewed = 0; renewed < 5; renewed += 1) {
    const before = await claimOf(person);
    clock.advance(20_000);
    vi.advanceTimersByTime(20_000);
    await expect.poll(async () => (await claimOf(person)).until).toBeGreaterThan(before.until);
    await another.drain();
    expect((await claimOf(person)).lease).toBe(lease);
  }
  expect(front.asked.filter(({ method }) => method === "REPORT")).toEqual([]);
  letGo();
  await syncing;
  expect(await claimOf(person)).toMatchObject({ lease: null });
  expect(await person.profile()).toMatchObject({ initial_sync_required: false, sync_failures: 0, sync_error: null });
});

function crewWith(connector: Person["connector"]) {
  const connectorOf = (name: string) => (name === "icloud" ? connector : null);
  const crew = syncs({ db, connectorOf, pollMs: POLL_MS });
  onTestFinished(() => crew.stop());
  return crew;
}

async function claimOf({ profileId }: Person): Promise<{ lease: string | null; until: number }> {
  const { syncLease, syncLeasedUntil } = await storedSync(profileId);
  return { lease: syncLease, until: syncLeasedUntil?.getTime() ?? 0 };
}
