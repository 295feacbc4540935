import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { fileEnvironment } from "./file-environment";
import { connectOAuthPerson } from "./oauth-person";
import { ours, watch } from "./world";

let provider: OAuthCalendars;
let receiver: Receiver;
let clock: FakeClock;
beforeAll(async () => {
  receiver = await startReceiver();
});
fileEnvironment(() => ({ LOG_LEVEL: "error", CALLBACK_ALLOWED_ORIGINS: receiver.origin }));
afterAll(() => receiver.close());
beforeEach(async () => {
  provider = await startOAuthCalendars();
  provider.putCalendar("work", { makesLinks: true });
  clock = fakeClock();
  return provider.close;
});

const link = { provider: "google_meet", join_url: "https://meet.acme.io/room" };

/** An event of the application's whose link the provider is creating. */
async function withPendingLink() {
  const person = await connectOAuthPerson(provider);
  await person.sync();
  const calendarId = await person.calendarId("Work");
  const event = ours("call", { conferencing: { profile_id: "integrated" } });
  const answer = await person.post(`/v1/calendars/${calendarId}/events`, event);
  if (answer.status !== 202) throw new Error(answer.text);
  const conferencing = async () => (await person.events(calendarId))[0]?.conferencing;
  const watched = await watch(person, receiver);
  await person.pushing.drain(60_000);
  provider.asked.length = 0;
  const [name = ""] = provider.events.keys();
  /** The provider is done, with a link or without. */
  const make = (made: object | null) =>
    provider.put(name, { ...(provider.events.get(name)?.state as object), conferencing: made });
  return { person, conferencing, make, ...watched };
}

/** Waits until the person's profile is due, and has it synced. */
async function next({ person }: Awaited<ReturnType<typeof withPendingLink>>): Promise<number> {
  const { due_in: seconds } = await person.profile();
  clock.advance(Math.max(0, (seconds ?? 0) * 1_000 + 1));
  await person.syncing.drain(60_000);
  return Math.round(seconds ?? 0);
}

it("a link is looked for with growing waits until it is there, and nobody is notified", async () => {
  const call = await withPendingLink();
  expect(await call.conferencing()).toEqual({ pending: true });
  expect([await next(call), await next(call), await next(call)]).toEqual([1, 2, 4]);
  expect(provider.asked.filter((asked) => /GET .*events\//.test(asked))).toHaveLength(3);
  expect(provider.asked).toHaveLength(3);
  call.make(link);
  expect(await next(call)).toBe(8);
  expect(await call.conferencing()).toMatchObject({ join_url: link.join_url });
  await call.person.sync();
  expect(await call.settled()).toEqual([]);
});

it("a link that is there is not looked for again", async () => {
  const call = await withPendingLink();
  call.make(link);
  await next(call);
  expect((await call.person.profile()).due_in).toBeGreaterThan(30);
});

it("a link that the provider fails to create is none", async () => {
  const call = await withPendingLink();
  call.make(null);
  await next(call);
  expect(await call.conferencing()).toBeUndefined();
  expect(await call.settled()).toEqual([]);
});

it("a link that is never created is none in the end", async () => {
  const call = await withPendingLink();
  const isPending = async () => (await call.conferencing()) !== undefined;
  let waited = 0;
  while ((await isPending()) && waited < 600) waited += await next(call);
  expect(waited).toBeGreaterThan(60);
  expect(waited).toBeLessThan(600);
  expect(await call.settled()).toEqual([]);
});

it("a link that a sync reads first is stored without a notification", async () => {
  const call = await withPendingLink();
  call.make(link);
  await call.person.sync();
  expect(await call.conferencing()).toMatchObject({ join_url: link.join_url });
  expect(await call.settled()).toEqual([]);
});
