import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { latch } from "../fakes/latch";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { setConnected, setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { connectGooglePerson } from "./google-person";
import { ADA, asked, BOB, syncedGoogle, timed } from "./google-scene";
import { ours, POLL_MS, watch } from "./world";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());
beforeEach(async () => void (await db().prisma.providerPause.deleteMany()));

const list = { path: /calendarList$/ };
const POLL_S = POLL_MS / 1_000;
const refreshes = ({ requests }: { requests: { path: string }[] }) =>
  requests.filter(({ path }) => path === "/token").length;

type Scene = Awaited<ReturnType<typeof syncedGoogle>>;

/** A sync and a write are due: what is asked of Google then. */
async function askedWhenDue({ provider, person, path }: Pick<Scene, "provider" | "person" | "path">, clock: FakeClock) {
  provider.requests.length = 0;
  await person.post(path, ours("due", { summary: `At ${clock.now()}` }));
  await setSyncDue(person.profileId, new Date(clock.now() - 1_000));
  await person.syncing.drain(60_000);
  await person.pushing.drain(60_000);
  return asked(provider);
}

describe("when our access at Google has ended", () => {
  it("a read finds it, the application is notified once, and what was read can still be read", async () => {
    const { provider, person, calendar, summaries } = await syncedGoogle();
    calendar.putEvent({ summary: "Known", ...timed(2) });
    await person.sync();
    const { settled } = await watch(person, receiver);
    provider.revokeConsent(ADA);
    for (let syncs = 0; syncs < 4; syncs += 1) await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(await settled()).toEqual(["profile_disconnected"]);
    expect(await summaries()).toEqual(["Known"]);
  });

  it("a write finds it, waits for the user, and goes to Google once they have connected again", async () => {
    const { provider, person, path, calendar, summaries } = await syncedGoogle();
    const { settled } = await watch(person, receiver);
    provider.revokeConsent(ADA);
    await person.post(path, ours("one"));
    await person.push();
    expect(await person.profile()).toMatchObject({ connected: true });
    await person.syncing.drain(60_000);
    await person.push();
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(await settled()).toEqual(["profile_disconnected"]);
    expect(await summaries()).toEqual(["Ours one"]);
    await person.post(path, ours("two"));
    await person.push();
    expect(calendar.events()).toEqual([]);
    const again = await person.connectAgain(null);
    expect(again.profileId).toBe(person.profileId);
    await person.pushing.drain(60_000);
    expect(
      calendar
        .events()
        .map(({ summary }) => summary)
        .sort(),
    ).toEqual(["Ours one", "Ours two"]);
    await person.sync();
    expect((await summaries()).sort()).toEqual(["Ours one", "Ours two"]);
    expect((await settled()).filter((type) => type === "profile_disconnected")).toHaveLength(1);
  });

  it("for calendars alone, the user has to connect again, too", async () => {
    const { provider, person } = await syncedGoogle();
    provider.faults.next({ path: /\/events$/, respond: "insufficientPermissions", times: 9 });
    provider.faults.next({ ...list, respond: "insufficientPermissions", times: 9 });
    await person.sync();
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: false });
  });
});

it("an access token that Google rejects is replaced once for all who need one, and every write arrives", async () => {
  const { provider, person, path, calendar } = await syncedGoogle();
  for (const name of ["a", "b", "c", "d"]) await person.post(path, ours(name));
  const all = latch();
  provider.faults.next({ method: "POST", path: /\/events$/, respond: "authError", times: 4, until: all.opened });
  const pushed = person.push();
  await expect.poll(() => asked(provider)).toEqual(Array(4).fill(`POST calendars/${ADA}/events`));
  all.open();
  await pushed;
  expect(calendar.events()).toHaveLength(4);
  expect(refreshes(provider)).toBe(1);
  expect(await person.profile()).toMatchObject({ connected: true });
});

describe("a limit", () => {
  const two = { accounts: [{ email: ADA }, { email: BOB }] };

  it.each(["userRateLimitExceeded", "rateLimitExceeded", "quotaExceeded"] as const)(
    "of the mailbox (%s) stops its reads and writes for as long as Google asks, and nobody else's",
    async (respond) => {
      const clock = fakeClock();
      const scene = await syncedGoogle(two);
      const { provider, person } = scene;
      provider.knobs.signedIn = BOB;
      const bob = await connectGooglePerson(provider);
      await bob.sync();
      const bobs = { provider, person: bob, path: `/v1/calendars/${await bob.calendarId(BOB)}/events` };
      provider.faults.next({ ...list, respond, retryAfter: 300 });
      await person.sync();
      expect(await askedWhenDue(scene, clock)).toEqual([]);
      expect(await askedWhenDue(bobs, clock)).not.toEqual([]);
      await setConnected(bob.profileId, false);
      clock.advance(301_000);
      expect(await askedWhenDue(scene, clock)).toContain(`POST calendars/${ADA}/events`);
    },
  );

  it("that a write meets stops reads, too", async () => {
    const clock = fakeClock();
    const scene = await syncedGoogle();
    scene.provider.faults.next({ method: "POST", path: /events$/, respond: "tooManyRequests", retryAfter: 60 });
    expect(await askedWhenDue(scene, clock)).toContain(`POST calendars/${ADA}/events`);
    clock.advance(59_000);
    expect(await askedWhenDue(scene, clock)).toEqual([]);
    clock.advance(2_000);
    expect(await askedWhenDue(scene, clock)).toContain(`POST calendars/${ADA}/events`);
    expect(scene.calendar.events()).toHaveLength(1);
  });

  it("of the whole project stops everybody's reads and writes", async () => {
    const clock = fakeClock();
    const scene = await syncedGoogle(two);
    const { provider, person } = scene;
    provider.knobs.signedIn = BOB;
    const bob = await connectGooglePerson(provider);
    await bob.sync();
    const bobs = { provider, person: bob, path: `/v1/calendars/${await bob.calendarId(BOB)}/events` };
    provider.faults.next({ ...list, respond: "dailyLimitExceeded", retryAfter: 600 });
    await person.sync();
    expect(await askedWhenDue(bobs, clock)).toEqual([]);
    clock.advance(601_000);
    expect(await askedWhenDue(bobs, clock)).not.toEqual([]);
  });

  it.each([
    ["seconds", () => "120"],
    ["a date", (clock: FakeClock) => new Date(clock.now() + 120_000).toUTCString()],
  ])("ends when Retry-After says so, in %s", async (_, retryAfter) => {
    const clock = fakeClock(Math.floor(Date.now() / 1_000) * 1_000);
    const scene = await syncedGoogle();
    scene.provider.faults.next({ ...list, respond: "tooManyRequests", retryAfter: retryAfter(clock) });
    await scene.person.sync();
    clock.advance(118_000);
    expect(await askedWhenDue(scene, clock)).toEqual([]);
    clock.advance(3_000);
    expect(await askedWhenDue(scene, clock)).not.toEqual([]);
  });

  it("at Google's tokens is waited for, and nobody has to connect again", async () => {
    const clock = fakeClock();
    const { provider, person } = await syncedGoogle();
    clock.advance(2 * 3_600_000);
    provider.faults.next({ path: /^\/token$/, respond: "tooManyRequests", retryAfter: 900 });
    await person.sync();
    const { connected, sync_error, due_in } = await person.profile();
    expect({ connected, sync_error }).toEqual({ connected: true, sync_error: "throttled" });
    expect(due_in).toBeGreaterThanOrEqual(900);
  });
});

it("calendars that Google refuses with 403 do not stop the others", async () => {
  const { provider, person } = await syncedGoogle({
    fill: (ada, { faults }) => {
      for (const name of ["one", "two", "three"]) ada.addCalendar({ id: `${name}@group`, summary: name });
      faults.next({ path: /(one|two|three)@group\/events$/, respond: "forbidden", times: 99 });
      ada.addCalendar({ id: "good@group", summary: "good" });
    },
  });
  provider.calendar("good@group").putEvent({ summary: "Read", ...timed(2) });
  await person.sync();
  expect(await person.profile()).toMatchObject({ connected: true, sync_error: "calendar_failed" });
  expect(await person.events(await person.calendarId("good"))).toMatchObject([{ summary: "Read" }]);
  provider.faults.clear();
  provider.calendar("one@group").putEvent({ summary: "Read, too", ...timed(2) });
  await person.sync();
  expect(await person.events(await person.calendarId("one"))).toMatchObject([{ summary: "Read, too" }]);
  expect(await person.profile()).toMatchObject({ sync_error: null, sync_failures: 0 });
});

describe("while Google is down", () => {
  it.each(["backendError", "badGateway", "serviceUnavailable"] as const)(
    "(%s) it is asked less and less often, the profile stays connected, and all is there in the end",
    async (respond) => {
      const { provider, person, path, calendar, summaries } = await syncedGoogle();
      fakeClock();
      provider.faults.next({ respond, times: 99 });
      const waits: number[] = [];
      for (let failed = 0; failed < 3; failed += 1) {
        await person.sync();
        waits.push(Number((await person.profile()).due_in));
      }
      expect(waits).toEqual([POLL_S, 2 * POLL_S, 4 * POLL_S]);
      await person.post(path, ours("one"));
      await person.push();
      expect(await person.profile()).toMatchObject({ connected: true, sync_error: "down" });
      provider.faults.clear();
      calendar.putEvent({ summary: "Theirs", ...timed(2) });
      await person.sync();
      await person.push();
      await person.sync();
      expect((await summaries()).sort()).toEqual(["Ours one", "Theirs"]);
      expect(calendar.events()).toHaveLength(2);
    },
  );

  it("a read and a write are given up in time, and tried again", async () => {
    const { provider, person, path, calendar, summaries } = await syncedGoogle({ deadlineMs: 300 });
    provider.faults.next({ ...list, delay: 2_000 });
    provider.faults.next({ method: "POST", path: /events$/, delay: 2_000 });
    await person.sync();
    expect(await person.profile()).toMatchObject({ connected: true, sync_error: "down" });
    await person.post(path, ours("one"));
    await person.push();
    await person.sync();
    await person.push();
    await expect.poll(() => provider.requests.every(({ status }) => status !== null), { timeout: 5_000 }).toBe(true);
    expect(calendar.events()).toHaveLength(1);
    await person.sync();
    expect(await summaries()).toEqual(["Ours one"]);
  });
});
