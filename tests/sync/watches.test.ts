import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { type Connectable, providerTraits } from "@/server/domain/providers";
import { processServices } from "@/server/http/process-services";
import { connectorOf } from "@/server/providers/connectors";
import { workRevocations } from "@/server/sync/revocations";
import { address } from "../api/service";
import { type FakeClock, fakeClock } from "../fakes/clock";
import { type OAuthCalendars, startOAuthCalendars } from "../fakes/oauth-calendars";
import { setCompatible, setSyncDue } from "../fakes/stored";
import { eventState } from "./caldav-pulls";
import { fileEnvironment } from "./file-environment";
import { connectOAuthPerson } from "./oauth-person";

fileEnvironment(() => ({ LOG_LEVEL: "error" }));

const POLL_S = 60;
const LOOKED_UP_AT_ONCE = 2;
const LOOKED_UP_LATER = 600;

let provider: OAuthCalendars;
let clock: FakeClock;
beforeEach(async () => {
  provider = await startOAuthCalendars();
  clock = fakeClock();
  return provider.close;
});

/** Somebody whose calendars were synced once by a process that has them watched. */
async function watched(name: Connectable = "google") {
  const person = await connectOAuthPerson(provider, name);
  const hook = `${await address()}/hooks/${providerTraits[name].path}`;
  const { syncing } = person.loops({ hookUrl: () => hook });
  onTestFinished(() => syncing.stop());
  const poll = async () => {
    await setSyncDue(person.profileId, new Date(clock.now()));
    await syncing.drain(60_000);
  };
  await poll();
  provider.asked.length = 0;
  return { ...person, syncing, hook, poll, workId: await person.calendarId("Work") };
}

const targets = () => [...provider.watches.values()].map(({ calendarId }) => calendarId).sort();
const channels = () => [...provider.watches.values()].map(({ channel }) => channel).sort();
const stored = async (profileId: string) => {
  const rows = await db().prisma.providerWatch.findMany({ where: { profileId }, orderBy: { channel: "asc" } });
  return rows.map(({ channel }) => channel);
};

describe("a notice", () => {
  it("has its calendar read at once, and one of the list has the calendars listed", async () => {
    const person = await watched();
    expect(targets()).toEqual([null, "work"]);
    provider.put("standup", eventState());
    expect(await provider.notify("work")).toEqual([202]);
    await person.syncing.drain(60_000);
    expect(provider.asked.map((asked) => asked.replace(/\?.*/, ""))).toEqual(["GET /calendars/work/events"]);
    expect(await person.events(person.workId)).toMatchObject([{ summary: "Stand-up" }]);
    provider.putCalendar("home");
    await provider.notify(null);
    await person.syncing.drain(60_000);
    expect((await person.get("/v1/calendars")).json.calendars).toHaveLength(2);
    expect(targets()).toEqual(["home", null, "work"]);
  });

  it.each(["microsoft", "outlook"] as const)(
    "of %s comes to the address that it shares with its sibling",
    async (name) => {
      const person = await watched(name);
      expect(person.hook).toMatch(/\/hooks\/microsoft$/);
      provider.put("standup", eventState());
      expect(await provider.notify("work")).toEqual([202]);
      await person.syncing.drain(60_000);
      expect(await person.events(person.workId)).toMatchObject([{ summary: "Stand-up" }]);
    },
  );

  it("that is forged, unknown or of another provider is answered alike and has no effect", async () => {
    const person = await watched();
    const [real] = [...provider.watches.values()];
    if (!real) throw new Error("nothing is watched");
    const { due_in: before } = await person.profile();
    const send = (headers: Record<string, string>, path = person.hook) => fetch(path, { method: "POST", headers });
    const forged = [
      send({ "x-channel": real.channel, "x-secret": "guessed" }),
      send({ "x-channel": "unknown", "x-secret": real.secret }),
      send({ "x-channel": real.channel }),
      send({}),
    ];
    for (const { status } of await Promise.all(forged)) expect(status).toBe(202);
    expect((await person.profile()).due_in).toBe(before);
    const genuine = { "x-channel": real.channel, "x-secret": real.secret };
    const elsewhere = ["icloud", "microsoft", "nobody"].map((name) =>
      send(genuine, person.hook.replace("google", name)),
    );
    for (const { status } of await Promise.all(elsewhere)) expect(status).toBe(404);
    expect((await send(genuine)).status).toBe(202);
    expect((await person.profile()).due_in).toBe(0);
  });

  it("is not read beyond 64 KiB, and a challenge gets its text back", async () => {
    const { hook } = await watched();
    expect((await fetch(hook, { method: "POST", body: "x".repeat(65 * 1024) })).status).toBe(413);
    const challenged = await fetch(`${hook}?challenge=${encodeURIComponent("<b>1")}`, { method: "POST" });
    expect(challenged.status).toBe(200);
    expect(challenged.headers.get("content-type")).toContain("text/plain");
    expect(await challenged.text()).toBe("<b>1");
    expect((await fetch(hook)).status).toBe(405);
  });
});

it("more notices than can be looked up are told when to come again, and none of the others is lost", async () => {
  const person = await watched();
  const { requests } = processServices().admission;
  const applicant = { applicationId: "hooks/google", accountId: null, writes: false };
  const slots = await Promise.all(Array.from({ length: LOOKED_UP_AT_ONCE }, () => requests.enter(applicant)));
  const [real] = [...provider.watches.values()].filter(({ calendarId }) => calendarId === "work");
  if (!real) throw new Error("nothing is watched");
  const headers = { "x-channel": real.channel, "x-secret": real.secret };
  provider.put("standup", eventState());
  const sent = Array.from({ length: LOOKED_UP_LATER + 1 }, () => fetch(person.hook, { method: "POST", headers }));
  const refused = await Promise.any(sent);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await fetch(person.hook, { method: "POST", headers: { ...headers, "x-secret": "made up" } })).status).toBe(
    202,
  );
  for (const slot of slots) slot.leave();
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(LOOKED_UP_LATER);
  await person.syncing.drain(60_000);
  expect(await person.events(person.workId)).toMatchObject([{ summary: "Stand-up" }]);
});

describe("a watch", () => {
  it.each([true, false])("is renewed after half of its time, under the same channel: %s", async (isSame) => {
    const person = await watched();
    provider.prolongsWatches = isSame;
    const before = channels();
    clock.advance(29 * 60_000);
    await person.poll();
    expect(channels()).toEqual(before);
    clock.advance(2 * 60_000);
    await person.poll();
    if (isSame) expect(channels()).toEqual(before);
    else expect(channels().filter((channel) => before.includes(channel))).toEqual([]);
    expect(await stored(person.profileId)).toEqual(channels());
    provider.asked.length = 0;
    await person.poll();
    expect(provider.asked.some((asked) => asked.includes("/watches"))).toBe(false);
  });

  it("that its provider ends or forgets is begun again", async () => {
    const person = await watched();
    const before = channels();
    const ended = await provider.notify("work", "ended");
    expect(ended).toEqual([202]);
    provider.watches.clear();
    await person.syncing.drain(60_000);
    expect(targets()).toEqual(["work"]);
    clock.advance(31 * 60_000);
    await person.poll();
    await person.poll();
    expect(targets()).toEqual([null, "work"]);
    expect(channels().filter((channel) => before.includes(channel))).toEqual([]);
    expect(await stored(person.profileId)).toEqual(channels());
  });

  it("of a profile whose grant was revoked has no effect any more", async () => {
    const person = await watched();
    const notice = [...provider.watches.values()].map(({ channel, secret }) => ({
      "x-channel": channel,
      "x-secret": secret,
    }));
    provider.revoke();
    await person.poll();
    await person.poll();
    expect(await person.profile()).toMatchObject({ connected: false });
    expect(await stored(person.profileId)).toEqual([]);
    for (const headers of notice) expect((await fetch(person.hook, { method: "POST", headers })).status).toBe(202);
    expect(await person.profile()).toMatchObject({ due_in: null });
  });
});

describe("the poll of a profile", () => {
  const expectPoll = (dueInS: number) => expect(Math.abs(dueInS - POLL_S)).toBeLessThanOrEqual(0.11 * POLL_S);
  const dueIn = async (person: Awaited<ReturnType<typeof watched>>) => Number((await person.profile()).due_in);

  it("that is watched is due when a watch has to be renewed", async () => {
    expect(await dueIn(await watched())).toBeCloseTo(1_800, 0);
  });

  it("whose watches go on for days is due in about six hours, and a notice does not bring it forward", async () => {
    provider.watchLifeS = 7 * 86_400;
    const person = await watched();
    const due = await dueIn(person);
    expect(Math.abs(due - 6 * 3600)).toBeLessThanOrEqual(0.1 * 6 * 3600);
    clock.advance(60_000);
    await provider.notify("work");
    await person.syncing.drain(60_000);
    expect(await dueIn(person)).toBeCloseTo(due - 60, 0);
  });

  it("whose provider refuses a watch is due as often as without", async () => {
    provider.refusesWatches = true;
    expectPoll(await dueIn(await watched()));
    provider.refusesWatches = false;
    const person = await watched();
    provider.putCalendar("home");
    provider.refusesWatches = true;
    await person.poll();
    expectPoll(await dueIn(person));
  });

  it("whose watches cannot be renewed is due as often as without, and not at once again and again", async () => {
    const person = await watched();
    provider.refusesWatches = true;
    clock.advance(31 * 60_000);
    provider.asked.length = 0;
    await person.poll();
    expectPoll(await dueIn(person));
    expect(provider.asked.filter((asked) => asked === "GET /calendars")).toHaveLength(1);
  });
});

describe("an account that is revoked", () => {
  const revoke = async ({ application, accountId }: Awaited<ReturnType<typeof watched>>) => {
    const { clientId: client_id, clientSecret: client_secret } = application;
    await setCompatible(client_id);
    return await fetch(`${await address()}/oauth/token/revoke`, {
      method: "POST",
      body: new URLSearchParams({ client_id, client_secret, sub: accountId }),
    });
  };
  /** Its first try fails. */
  const revokeThrottled = async (person: Awaited<ReturnType<typeof watched>>) => {
    await revoke(person);
    provider.throttle = { scope: "mailbox", afterS: null };
    await workRevocations(db(), connectorOf);
    expect(await waiting(person.profileId)).toBe(1);
    provider.throttle = null;
  };
  const waiting = (profileId: string) => db().prisma.providerRevocation.count({ where: { profileId } });

  it("has its watches stopped and its grant revoked at the provider, once another application does not use it", async () => {
    const [person, other] = [await watched(), await watched()];
    const own = [...provider.watches.values()].length;
    expect((await revoke(person)).status).toBe(200);
    expect(await waiting(person.profileId)).toBe(1);
    await workRevocations(db(), connectorOf);
    expect(await waiting(person.profileId)).toBe(0);
    expect(provider.watches.size).toBe(own / 2);
    expect(provider.asked).not.toContain("POST /revoke");
    await revoke(other);
    await workRevocations(db(), connectorOf);
    expect(provider.watches.size).toBe(0);
    expect(provider.asked).toContain("POST /revoke");
  });

  it("has its grant revoked although one of its watches is gone already", async () => {
    const person = await watched();
    await revoke(person);
    const [first] = provider.watches.keys();
    provider.watches.delete(first ?? "");
    await workRevocations(db(), connectorOf);
    expect(await waiting(person.profileId)).toBe(0);
    expect(provider.watches.size).toBe(0);
    expect(provider.asked).toContain("POST /revoke");
  });

  it("is tried again with the refresh token that replaced the one of a try that failed", async () => {
    provider.watchLifeS = 7 * 86_400;
    const person = await watched();
    await revokeThrottled(person);
    clock.advance(3_600_000);
    await workRevocations(db(), connectorOf);
    expect(await waiting(person.profileId)).toBe(0);
    expect(provider.asked).toContain("POST /revoke");
    expect(provider.watches.size).toBe(0);
  });

  it("is tried again while the provider is down, and is over when the grant is gone already", async () => {
    const person = await watched();
    await revokeThrottled(person);
    provider.revoke();
    await workRevocations(db(), connectorOf);
    expect(await waiting(person.profileId)).toBe(1);
    clock.advance(3_600_000);
    await workRevocations(db(), connectorOf);
    expect(await waiting(person.profileId)).toBe(0);
  });

  it("is given up after six tries if the provider stays down", async () => {
    const person = await watched();
    await revokeThrottled(person);
    provider.throttle = { scope: "mailbox", afterS: null };
    const left: number[] = [];
    for (let tries = 2; tries <= 6; tries += 1) {
      clock.advance(21 * 3_600_000);
      await workRevocations(db(), connectorOf);
      left.push(await waiting(person.profileId));
    }
    expect(left).toEqual([1, 1, 1, 1, 0]);
  });
});
