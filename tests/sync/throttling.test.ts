import { beforeEach, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { pauseProvider } from "@/server/store/mailboxes/schedule";
import { ofUid, tagOf } from "../api/named-events";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { setConnected, setSyncDue } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { asked, syncedGoogle } from "./google-scene";
import { connectOAuthPerson, type OAuthPerson } from "./oauth-person";
import { ours } from "./world";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

let provider: OAuthCalendars;
let clock: FakeClock;
beforeEach(async () => {
  provider = await startOAuthCalendars();
  clock = fakeClock();
  await db().prisma.providerPause.deleteMany();
  return provider.close;
});

async function synced(): Promise<OAuthPerson & { workId: string }> {
  const person = await connectOAuthPerson(provider);
  await person.sync();
  provider.asked.length = 0;
  return Object.assign(person, { workId: await person.calendarId("Work") });
}

/** A sync and a write of the person are due. Gives what the provider was asked for. */
async function askedWhenDue({ profileId, workId, post, syncing, pushing }: Awaited<ReturnType<typeof synced>>) {
  provider.asked.length = 0;
  await post(`/v1/calendars/${workId}/events`, ours("review"));
  await setSyncDue(profileId, new Date(clock.now() - 1_000));
  await syncing.drain(60_000);
  await pushing.drain(60_000);
  return provider.asked.map((asked) => asked.split(" ")[0]);
}

it("a mailbox whose read was throttled is neither read nor written to until the time that the provider asked for", async () => {
  const [person, other] = [await synced(), await synced()];
  provider.throttle = { scope: "mailbox", afterS: 300 };
  await person.sync();
  provider.throttle = null;
  expect(await askedWhenDue(person)).toEqual([]);
  expect(await askedWhenDue(other)).toContain("PUT");
  await setConnected(other.profileId, false);
  clock.advance(299_000);
  expect(await askedWhenDue(person)).toEqual([]);
  clock.advance(2_000);
  expect(await askedWhenDue(person)).toEqual(expect.arrayContaining(["GET", "PUT"]));
});

it("a mailbox to which a write was throttled is not read either", async () => {
  const person = await synced();
  await person.post(`/v1/calendars/${person.workId}/events`, ours("review"));
  provider.throttle = { scope: "mailbox", afterS: 60 };
  await person.pushing.drain(60_000);
  expect(provider.asked).toHaveLength(1);
  provider.throttle = null;
  expect(await askedWhenDue(person)).toEqual([]);
  clock.advance(61_000);
  expect(await askedWhenDue(person)).toEqual(expect.arrayContaining(["GET", "PUT"]));
});

it("a mailbox that throttled the look before a change with If-Match gets no further one until the time that it asked for", async () => {
  const { person, path, provider } = await syncedGoogle();
  await person.post(path, ours("review"));
  await person.push();
  const [{ event_uid }] = (await person.get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" })).json.events;
  const changed = async (summary: string) => {
    provider.requests.length = 0;
    const headers = { "if-match": tagOf(await ofUid("GET", event_uid, person)) };
    const answer = await ofUid("PATCH", event_uid, person, { body: { summary }, headers });
    expect(answer.status, answer.text).toBe(200);
    return asked(provider);
  };
  provider.faults.next({ method: "GET", path: /\/events\/[^/]+$/, respond: "tooManyRequests", retryAfter: 60 });
  expect(await changed("First")).toHaveLength(1);
  expect(await changed("Second")).toEqual([]);
  clock.advance(61_000);
  expect(await changed("Third")).toHaveLength(1);
});

it("a provider that throttles the application gets no request for anybody, and a shorter wait does not end a longer one", async () => {
  const [person, other] = [await synced(), await synced()];
  provider.throttle = { scope: "application", afterS: 600 };
  await person.sync();
  provider.throttle = null;
  await pauseProvider(db(), "google", 1_000);
  clock.advance(2_000);
  expect(await askedWhenDue(other)).toEqual([]);
  clock.advance(601_000);
  expect(await askedWhenDue(other)).toEqual(expect.arrayContaining(["GET", "PUT"]));
});

it("a provider throttles since the first of the pauses that follow one another", async () => {
  const since = async () =>
    (await db().prisma.providerPause.findUniqueOrThrow({ where: { provider: "outlook" } })).since;
  const begin = clock.now();
  await pauseProvider(db(), "outlook", 60_000);
  clock.advance(5 * 60_000);
  await pauseProvider(db(), "outlook", 60_000);
  expect((await since())?.getTime()).toBe(begin);
  clock.advance(12 * 60_000);
  await pauseProvider(db(), "outlook", 60_000);
  expect((await since())?.getTime()).toBe(clock.now());
});

it("a provider that does not say for how long is left alone for half a minute", async () => {
  const person = await synced();
  provider.throttle = { scope: "mailbox", afterS: null };
  await person.sync();
  provider.throttle = null;
  clock.advance(29_000);
  expect(await askedWhenDue(person)).toEqual([]);
  clock.advance(2_000);
  expect(await askedWhenDue(person)).not.toEqual([]);
});

it("the next wake-up is when the throttling ends, not at once", async () => {
  const waits: number[] = [];
  const person = await synced();
  provider.throttle = { scope: "mailbox", afterS: 40 };
  await person.sync();
  await setSyncDue(person.profileId, new Date(clock.now()));
  const loop = person.loops({ onIdle: (ms) => waits.push(ms) });
  await loop.syncing.drain(60_000);
  await person.post(`/v1/calendars/${person.workId}/events`, ours("review"));
  await loop.pushing.drain(60_000);
  expect(waits).toEqual([expect.closeTo(40_000, -3), expect.closeTo(40_000, -3)]);
});
