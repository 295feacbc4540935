import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { latch } from "../fakes/latch";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { setConnected, setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectMicrosoftPerson } from "./microsoft-person";
import { ADA, asked, BOB, CALENDAR, syncedMicrosoft, timed } from "./microsoft-scene";
import { ours, watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());
beforeEach(async () => void (await db().prisma.providerPause.deleteMany()));

const list = { path: /\/me\/calendars$/ };
const delta = { path: /\/calendarView\/delta$/ };
const create = { method: "POST", path: /\/events$/ };

type Scene = Awaited<ReturnType<typeof syncedMicrosoft>>;

const refreshes = ({ requests }: Scene["fake"]) => requests.filter(({ path }) => path.endsWith("/token")).length;

/** A sync and a write are due: what is asked of Graph then. */
async function askedWhenDue({ fake, person, path }: Pick<Scene, "fake" | "person" | "path">, clock: FakeClock) {
  fake.requests.length = 0;
  await person.post(path, ours("due", { summary: `At ${clock.now()}` }));
  await setSyncDue(person.profileId, new Date(clock.now() - 1_000));
  await person.syncing.drain(60_000);
  await person.pushing.drain(60_000);
  return asked(fake);
}

const isCreation = (one: string) => /^POST me\/.*events$/.test(one);

describe("when our access at Microsoft has ended", () => {
  it("a read finds it, the application is notified once, and what was read can still be read", async () => {
    const { fake, person, calendar, summaries } = await syncedMicrosoft();
    calendar.putEvent({ subject: "Known", ...timed(2) });
    await person.sync();
    const { settled } = await watch(person, receiver);
    fake.revokeConsent(ADA);
    for (let syncs = 0; syncs < 4; syncs += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(await settled()).toEqual(["profile_disconnected"]);
    expect(await summaries()).toEqual(["Known"]);
  });

  it("a write waits for the user, and goes to Microsoft once when they have connected again", async () => {
    const { fake, person, path, calendar } = await syncedMicrosoft();
    fake.revokeConsent(ADA);
    await person.post(path, ours("one"));
    await person.push();
    for (let syncs = 0; syncs < 2; syncs += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(calendar.events()).toEqual([]);
    expect((await person.connectAgain(null)).profileId).toBe(person.profileId);
    await person.pushing.drain(60_000);
    expect(calendar.events().map(({ subject }) => subject)).toEqual(["Ours one"]);
  });

  it.each([
    ["a changed password", 50173],
    ["consent that was taken back", 65001],
    ["months without a use", 700082],
    ["a policy that asks for another factor", 50076],
    ["conditional access", 53003],
    ["an administrator who removed the app", 700016],
  ])("by %s, the user has to connect again", async (_, code) => {
    const { fake, ada, person } = await syncedMicrosoft();
    ada.challenge();
    ada.failRefresh(code);
    for (let syncs = 0; syncs < 2; syncs += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(refreshes(fake)).toBe(2);
  });
});

describe("a claims challenge", () => {
  it("is met with one new access token for all who need one, and every write arrives", async () => {
    const { fake, ada, person, path, calendar } = await syncedMicrosoft();
    for (const name of ["a", "b", "c"]) await person.post(path, ours(name));
    ada.challenge();
    await person.push();
    expect(calendar.events()).toHaveLength(3);
    expect(refreshes(fake)).toBe(1);
    expect(await person.profile()).toMatchObject({ connected: true });
  });

  it("that no new access token meets disconnects the profile when it is there half a minute later, too", async () => {
    const { fake, person } = await syncedMicrosoft();
    fake.faults.next({ ...list, respond: "invalidToken", times: 99 });
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "credentials_rejected" });
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
  });

  it("of one calendar alone disconnects nobody", async () => {
    const { fake, person } = await syncedMicrosoft();
    fake.faults.next({ ...delta, respond: "invalidToken", times: 99 });
    for (let syncs = 0; syncs < 2; syncs += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "calendar_refused" });
  });
});

describe("a bad moment of the sign-in service", () => {
  it.each([50196, 90033, 7000215, 7000222])("(AADSTS%i) disconnects nobody, and is over when it is", async (code) => {
    const { ada, person, calendar, summaries } = await syncedMicrosoft();
    ada.challenge();
    ada.failRefresh(code);
    for (let syncs = 0; syncs < 3; syncs += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true });
    ada.recover();
    calendar.putEvent({ subject: "Read", ...timed(2) });
    await person.sync();
    expect(await summaries()).toEqual(["Read"]);
    expect(await person.profile()).toMatchObject({ sync_error: null });
  });

  it("is waited for as long as it asks", async () => {
    const { fake, ada, person } = await syncedMicrosoft();
    ada.challenge();
    fake.faults.next({ path: /\/token$/, respond: "tooManyRequests", retryAfter: 900 });
    await person.sync();
    const { connected, sync_error, due_in } = await person.profile();
    expect({ connected, sync_error }).toEqual({ connected: true, sync_error: "throttled" });
    expect(due_in).toBeGreaterThanOrEqual(890);
  });
});

describe("a limit", () => {
  it.each(["mailboxConcurrency", "tooManyRequests", "activityLimitReached"] as const)(
    "of the mailbox (%s) stops its reads and writes for as long as Graph asks, and nobody else's",
    async (respond) => {
      const clock = fakeClock();
      const scene = await syncedMicrosoft({ accounts: [{ email: ADA }, { email: BOB }] });
      const { fake, person } = scene;
      fake.knobs.signedIn = BOB;
      const bob = await connectMicrosoftPerson(fake);
      await bob.sync();
      const bobs = { fake, person: bob, path: `/v1/calendars/${await bob.calendarId(CALENDAR)}/events` };
      fake.faults.next({ ...list, respond, retryAfter: 300 });
      await person.sync();
      expect(await askedWhenDue(scene, clock)).toEqual([]);
      expect((await askedWhenDue(bobs, clock)).some(isCreation)).toBe(true);
      await setConnected(bob.profileId, false);
      clock.advance(301_000);
      fake.advance(301_000);
      expect((await askedWhenDue(scene, clock)).some(isCreation)).toBe(true);
      expect(fake.counters.violations).toEqual([]);
    },
  );

  it("of four requests at once is never reached, however many writes wait in however many processes", async () => {
    const { fake, person, path, calendar } = await syncedMicrosoft({ knobs: { latency: 30 } });
    const others = [person.loops({}), person.loops({})];
    for (let written = 0; written < 12; written += 1) await person.post(path, ours(`w${written}`));
    const all = [person.push(), person.sync(), ...others.flatMap(({ pushing }) => pushing.drain(60_000))];
    await Promise.all(all);
    await person.push();
    expect(calendar.events()).toHaveLength(12);
    expect(fake.counters.mostAtOnce[ADA]).toBeLessThanOrEqual(4);
    expect(fake.counters.overConcurrency).toBe(0);
    await Promise.all(others.flatMap(({ syncing, pushing }) => [syncing.stop(), pushing.stop()]));
  });

  it("that a write meets stops reads, too", async () => {
    const clock = fakeClock();
    const scene = await syncedMicrosoft();
    scene.fake.faults.next({ ...create, respond: "tooManyRequests", retryAfter: 60 });
    expect((await askedWhenDue(scene, clock)).some(isCreation)).toBe(true);
    clock.advance(59_000);
    expect(await askedWhenDue(scene, clock)).toEqual([]);
    clock.advance(2_000);
    scene.fake.advance(61_000);
    expect((await askedWhenDue(scene, clock)).some(isCreation)).toBe(true);
    expect(scene.calendar.events()).toHaveLength(1);
  });
});

it("a calendar that Graph refuses with 403 does not stop the others", async () => {
  const { fake, ada, person } = await syncedMicrosoft();
  const [closed, good] = ["Closed", "Good"].map((name) => ada.addCalendar({ name }));
  fake.faults.next({ path: new RegExp(`${closed}/calendarView/delta$`), respond: "accessDenied", times: 99 });
  fake.calendar(good ?? "").putEvent({ subject: "Read", ...timed(2) });
  await person.sync();
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: "calendar_failed" });
  expect(await person.events(await person.calendarId("Good"))).toMatchObject([{ summary: "Read" }]);
  fake.faults.clear();
  fake.calendar(closed ?? "").putEvent({ subject: "Read, too", ...timed(2) });
  await person.sync();
  expect(await person.events(await person.calendarId("Closed"))).toMatchObject([{ summary: "Read, too" }]);
});

describe("while Graph is down", () => {
  it.each(["internalServerError", "badGateway", "serviceUnavailable", "gatewayTimeout"] as const)(
    "(%s) what was read stays, and what changed is read afterwards",
    async (respond) => {
      const { fake, person, calendar, summaries } = await syncedMicrosoft();
      calendar.putEvent({ subject: "Before", ...timed(2) });
      await person.sync();
      fake.faults.next({ ...list, respond, times: 3 });
      calendar.putEvent({ subject: "During", ...timed(3) });
      for (let syncs = 0; syncs < 3; syncs += 1) await person.sync();
      expect(await summaries()).toEqual(["Before"]);
      expect(await person.profile()).toMatchObject({ connected: true, sync_failures: 3 });
      await person.sync();
      expect(await summaries()).toEqual(["Before", "During"]);
      expect(await person.profile()).toMatchObject({ sync_error: null, sync_failures: 0 });
    },
  );

  it("a list that is suddenly empty is not believed the first time", async () => {
    const { fake, person } = await syncedMicrosoft();
    fake.faults.next({ ...list, respond: { status: 200, body: { value: [] } } });
    await person.sync();
    const { json } = await person.get("/v1/calendars");
    expect(json.calendars).toMatchObject([{ calendar_name: CALENDAR, calendar_deleted: false }]);
  });
});

it("a user who connects again while a refresh is on its way keeps the new connection", async () => {
  const { fake, ada, person, calendar, summaries } = await syncedMicrosoft({ knobs: { refreshGrace: 0 } });
  const slow = latch();
  ada.challenge();
  fake.faults.next({ path: /\/token$/, until: slow.opened });
  const syncing = person.sync();
  await expect.poll(() => fake.faults.left()).toBe(0);
  const again = person.connectAgain(null);
  slow.open();
  await Promise.all([again, syncing]);
  calendar.putEvent({ subject: "Read", ...timed(2) });
  await person.sync();
  expect(await summaries()).toEqual(["Read"]);
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: null });
});
