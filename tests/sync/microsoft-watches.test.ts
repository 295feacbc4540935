import { describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { connectorOf } from "@/server/providers/connectors";
import { workRevocations } from "@/server/sync/revocations";
import { address } from "../api/service";
import { fakeClock } from "../fakes/clock";
import { setCompatible } from "../fakes/stored";
import { fileEnvironment } from "./file-environment";
import { ADA, asked, BOB, timed, watchedMicrosoft } from "./microsoft-scene";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const HOUR_MS = 3_600_000;
const POLL_MS = 60_000;

/** As `watchedMicrosoft`, with both clocks at hand. */
async function timely(scene: Parameters<typeof watchedMicrosoft>[0] = {}) {
  const clock = fakeClock();
  const watched = await watchedMicrosoft(scene);
  const pass = (milliseconds: number) => {
    clock.advance(milliseconds);
    watched.fake.advance(milliseconds);
  };
  return { ...watched, pass };
}

async function dueIn(person: Awaited<ReturnType<typeof watchedMicrosoft>>["person"]) {
  return (await person.profile()).due_in ?? 0;
}

describe("a change at Microsoft", () => {
  it("is read as soon as Microsoft notifies us of it", async () => {
    const { fake, calendar, noticed, summaries } = await watchedMicrosoft();
    expect(fake.subscriptions.active()).toHaveLength(1);
    calendar.putEvent({ subject: "Stand-up", ...timed(2) });
    await noticed();
    expect(await summaries()).toEqual(["Stand-up"]);
    expect(asked(fake)).not.toContain("GET me/calendars");
  });

  it("that is notified twice, late and out of order is read once and is what it is", async () => {
    const { fake, calendar, noticed, summaries } = await watchedMicrosoft();
    fake.notices.mode = "hold";
    fake.notices.copies = 2;
    const id = calendar.putEvent({ subject: "Before", ...timed(2) });
    calendar.changeEvent(id, { subject: "After" });
    await fake.notices.release("reversed");
    await noticed();
    expect(await summaries()).toEqual(["After"]);
  });

  it("of several calendars in one notice is read from each", async () => {
    const { fake, ada, calendar, person, poll, noticed, summaries } = await watchedMicrosoft();
    const home = fake.calendar(ada.addCalendar({ name: "Home" }));
    await poll();
    expect(fake.subscriptions.active()).toHaveLength(2);
    fake.notices.mode = "hold";
    calendar.putEvent({ subject: "Stand-up", ...timed(2) });
    home.putEvent({ subject: "Dinner", ...timed(2) });
    await fake.notices.release("together");
    await noticed();
    expect(await summaries()).toEqual(["Stand-up"]);
    expect(await person.events(await person.calendarId("Home"))).toMatchObject([{ summary: "Dinner" }]);
  });
});

describe("a notice", () => {
  const frame = { subscriptionExpirationDateTime: new Date().toISOString(), changeType: "updated" };

  async function forge(hook: string, value: unknown) {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ value }) };
    return (await fetch(hook, init)).status;
  }

  it("that is forged or unreadable has no effect, and its response says nothing", async () => {
    const { fake, person, hook, syncing } = await watchedMicrosoft();
    const [subscription] = fake.subscriptions.active();
    const [channel, secret] = (subscription?.clientState ?? "").split(".");
    const states = [
      "",
      "x",
      `${channel}`,
      `${channel}.guessed`,
      `${channel}.`,
      `.${secret}`,
      `other.${secret}`,
      7,
      null,
    ];
    const id = subscription?.id;
    for (const clientState of states) {
      expect(await forge(hook, [{ ...frame, subscriptionId: id, clientState }])).toBe(202);
      const lifecycleEvent = "subscriptionRemoved";
      expect(await forge(hook, [{ ...frame, subscriptionId: id, clientState, lifecycleEvent }])).toBe(202);
    }
    for (const value of [null, {}, [null], "x", []]) expect(await forge(hook, value)).toBe(202);
    expect((await fetch(hook, { method: "POST", body: "{" })).status).toBe(202);
    await syncing.drain(60_000);
    expect(asked(fake)).toEqual([]);
    expect(
      await db().prisma.providerWatch.count({ where: { profileId: person.profileId, resource: { not: null } } }),
    ).toBe(1);
  });

  it("of a subscription that is not ours any more has no effect", async () => {
    const { fake, hook, person, syncing } = await watchedMicrosoft();
    const clientState = fake.subscriptions.active()[0]?.clientState;
    await db().prisma.providerWatch.deleteMany({ where: { profileId: person.profileId } });
    expect(await forge(hook, [{ ...frame, clientState, subscriptionId: "x" }])).toBe(202);
    await syncing.drain(60_000);
    expect(asked(fake)).toEqual([]);
  });

  it("that asks whether the address is ours gets its text back, and nothing else", async () => {
    const { hook } = await watchedMicrosoft();
    const token = "Validation: <b>1+1</b> =/+";
    const response = await fetch(`${hook}?validationToken=${encodeURIComponent(token)}`, { method: "POST" });
    expect([response.status, await response.text()]).toEqual([200, token]);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("a subscription", () => {
  it("is renewed at half of its time, under its name", async () => {
    const { fake, poll, calendar, noticed, pass } = await timely();
    const [before] = fake.subscriptions.active();
    pass(36 * HOUR_MS);
    await poll();
    const after = fake.subscriptions.active();
    expect(after.map(({ id }) => id)).toEqual([before?.id]);
    expect(after[0]?.expiration).toBeGreaterThan(Date.now() + (36 + 69) * HOUR_MS);
    expect(asked(fake).filter((one) => one.includes("subscriptions"))).toEqual([`PATCH subscriptions/${before?.id}`]);
    fake.requests.length = 0;
    calendar.putEvent({ subject: "Later", ...timed(2) });
    await noticed();
    expect(asked(fake).some((one) => one.endsWith("/calendarView/delta"))).toBe(true);
  });

  it("that has ended is begun again", async () => {
    const { fake, poll, pass } = await timely();
    pass(80 * HOUR_MS);
    await poll();
    expect(fake.subscriptions.all).toHaveLength(2);
    expect(fake.subscriptions.active()).toHaveLength(1);
  });

  it("that Graph wants to be reauthorized is renewed at once, and what came while it paused is read", async () => {
    const { fake, calendar, noticed, summaries } = await watchedMicrosoft();
    const id = fake.subscriptions.active()[0]?.id ?? "";
    fake.subscriptions.requireReauthorization(id);
    calendar.putEvent({ subject: "In between", ...timed(2) });
    await noticed();
    expect(fake.subscriptions.active()[0]).toMatchObject({ id, paused: false });
    expect(await summaries()).toEqual(["In between"]);
    fake.requests.length = 0;
    calendar.putEvent({ subject: "After", ...timed(3) });
    await noticed();
    expect(await summaries()).toEqual(["In between", "After"]);
    expect(asked(fake).filter((one) => one.includes("subscriptions"))).toEqual([]);
  });

  it("that Graph has removed is begun again at once, and what came in between is read", async () => {
    const { fake, calendar, noticed, summaries } = await watchedMicrosoft();
    const id = fake.subscriptions.active()[0]?.id ?? "";
    fake.notices.mode = "hold";
    fake.subscriptions.remove(id);
    calendar.putEvent({ subject: "In between", ...timed(2) });
    await fake.notices.release();
    fake.notices.mode = "deliver";
    await noticed();
    expect(fake.subscriptions.active().map((one) => one.id)).not.toContain(id);
    expect(fake.subscriptions.active()).toHaveLength(1);
    expect(await summaries()).toEqual(["In between"]);
  });

  it("that Graph removes without a word is begun again when it is to be renewed", async () => {
    const { fake, poll, pass } = await timely();
    fake.subscriptions.remove(fake.subscriptions.active()[0]?.id ?? "", false);
    pass(36 * HOUR_MS);
    await poll();
    expect(fake.subscriptions.active()).toHaveLength(1);
  });

  it("of which Graph missed notices has its calendar read", async () => {
    const { fake, calendar, noticed, summaries } = await watchedMicrosoft();
    fake.notices.mode = "drop";
    calendar.putEvent({ subject: "Missed", ...timed(2) });
    await noticed();
    expect(await summaries()).toEqual([]);
    fake.notices.mode = "deliver";
    fake.subscriptions.sayMissed(fake.subscriptions.active()[0]?.id ?? "");
    await noticed();
    expect(await summaries()).toEqual(["Missed"]);
  });

  it("that notifies an address which is not ours any more is replaced when it is to be renewed", async () => {
    const { fake, site, hook, poll, pass } = await timely();
    site.hook = `${hook}?moved`;
    pass(36 * HOUR_MS);
    await poll();
    expect(fake.subscriptions.active().map((one) => one.notificationUrl)).toEqual([site.hook]);
    expect(fake.subscriptions.active().map((one) => one.lifecycleNotificationUrl)).toEqual([site.hook]);
  });

  it("that a shared calendar cannot have leaves the calendar polled alone", async () => {
    const { fake, ada, person, poll, syncing, pass } = await timely({
      accounts: [{ email: ADA }, { email: BOB }],
      pollMs: POLL_MS,
    });
    const shared = fake.calendar(ada.addSharedCalendar({ owner: BOB, name: "Bob's" }));
    fake.faults.next({ method: "POST", path: /\/subscriptions$/, respond: "accessDenied" });
    await poll();
    expect(fake.subscriptions.active()).toHaveLength(1);
    expect(await dueIn(person)).toBeLessThan(POLL_MS / 500);
    shared.putEvent({ subject: "Shared", ...timed(2) });
    fake.requests.length = 0;
    pass(2 * POLL_MS);
    await syncing.drain(60_000);
    expect(await person.events(await person.calendarId("Bob's"))).toMatchObject([{ summary: "Shared" }]);
    expect(asked(fake)).not.toContain("GET me/calendars");
  });
});

describe("an account at Microsoft", () => {
  it("whose calendars are all watched is polled after hours, and costs nothing in between", async () => {
    const { fake, person, syncing, pass } = await timely({ pollMs: POLL_MS });
    expect(await dueIn(person)).toBeGreaterThan(5 * 3_600);
    expect(await dueIn(person)).toBeLessThan(7 * 3_600);
    pass(4 * HOUR_MS);
    await syncing.drain(60_000);
    expect(asked(fake)).toEqual([]);
  });

  it("whose calendars cannot be watched is polled as often as others", async () => {
    const { person } = await watchedMicrosoft({
      pollMs: POLL_MS,
      fill: (_, { faults }) =>
        faults.next({ method: "POST", path: /\/subscriptions$/, respond: "internalServerError" }),
    });
    expect(await dueIn(person)).toBeLessThan(POLL_MS / 500);
  });

  it("whose data is deleted has its subscriptions deleted, and its tokens forgotten", async () => {
    const { fake, person } = await watchedMicrosoft();
    const { clientId: client_id, clientSecret: client_secret } = person.application;
    await setCompatible(client_id);
    const body = new URLSearchParams({ client_id, client_secret, sub: person.accountId });
    expect((await fetch(`${await address()}/oauth/token/revoke`, { method: "POST", body })).status).toBe(200);
    await workRevocations(db(), connectorOf);
    expect(fake.subscriptions.active()).toEqual([]);
    expect(asked(fake).filter((one) => one.startsWith("DELETE"))).toHaveLength(1);
    const { prisma } = db();
    expect(await prisma.providerRevocation.count()).toBe(0);
    expect(await prisma.profile.count({ where: { id: person.profileId } })).toBe(0);
    expect(await prisma.providerToken.count({ where: { profileId: person.profileId } })).toBe(0);
  });
});
