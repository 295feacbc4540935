import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { db } from "@/server/db/client";
import { claim, type DeliveryClaim } from "@/server/webhooks/claim";
import { dispatcher } from "@/server/webhooks/dispatcher";
import { fanOut } from "@/server/webhooks/fan-out";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import type { Got } from "../../fakes/receiver";
import { addDeliveries, dropDeliveries, storedDeliveries } from "../../fakes/stored-deliveries";
import { applicationId } from "../grants";
import { ownReceiver } from "../own-receiver";
import { type Application, newApplication, openCalendar } from "../service";
import { openChannel } from "./world";

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;

beforeEach(async () => {
  clock = fakeClock();
  receiver.answer(200);
  await dropDeliveries();
});

/** An application with so many channels at the receiver, their verifications not sent yet. */
async function applicationWith(channels: number, path: string) {
  const application = await newApplication();
  const opened = await openCalendar(application);
  const open = async (count: number) => {
    for (let i = 0; i < count; i++) await openChannel(opened, receiver.url(path));
  };
  await open(channels);
  return { id: await applicationId(application), open };
}

const isAt =
  (path: string) =>
  ({ json }: Got) =>
    json.channel.callback_url.endsWith(path);

describe("an application's notifications at a host where another's hang", () => {
  it.each([1, 2])("are sent while those hang, with %i processes", async (count) => {
    const processes = Array.from({ length: count }, () => dispatcher({ db, allowedOrigins: [receiver.origin] }));
    const [hanging, quick] = [
      await applicationWith(1, `/hanging-${count}`),
      await applicationWith(0, `/quick-${count}`),
    ];
    await fanOut(db());
    await Promise.all(processes.map((one) => one.drain(10_000))); // it is known to answer
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answer(async (got) => {
      if (isAt(`/hanging-${count}`)(got)) await released;
      return 200;
    });
    await hanging.open(30);
    await fanOut(db());
    const drained = Promise.all(processes.map((one) => one.drain(60_000)));
    onTestFinished(async () => {
      release();
      await drained;
      await Promise.all(processes.map((one) => one.stop()));
    });
    const underWay = async () => (await storedDeliveries({ applicationId: hanging.id, lease: { not: null } })).length;
    await expect.poll(underWay).toBe(5);
    await quick.open(1);
    await fanOut(db());
    await Promise.all(processes.map((one) => one.drain(0)));
    await receiver.next(isAt(`/quick-${count}`));
    const ended = await db().prisma.attempt.findMany({ where: { errorClass: { not: null } } });
    const failed = ended.map(({ deliveryId }) => deliveryId);
    expect(await storedDeliveries({ applicationId: hanging.id, id: { in: failed } })).toEqual([]);
    expect(await underWay()).toBe(5);
  });
});

describe("a claim", () => {
  /** Due deliveries of an application at each host, the first of them due the longest. */
  async function due(application: Application, hosts: readonly string[], each = 1): Promise<string> {
    const opened = await openCalendar(application);
    const { channel_id } = await openChannel(opened, receiver.url());
    const now = clock.now();
    const turns = Array.from({ length: each }, (_, i) => new Date(now - 60_000 + i + 1));
    const row = { type: "verification", createdAt: new Date(now) };
    await addDeliveries(
      channel_id,
      hosts.flatMap((host) => turns.map((nextAttemptAt) => ({ ...row, host, nextAttemptAt }))),
    );
    return await applicationId(application);
  }
  const named = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}.acme.io`);
  const countOf = (claimed: readonly DeliveryClaim[], id: string) =>
    claimed.filter((one) => one.applicationId === id).length;

  it("takes of each application in turn, however many hosts one has and since when they are due", async () => {
    const many = await due(await newApplication(), named("a", 40));
    const others = [await due(await newApplication(), ["z.acme.io"]), await due(await newApplication(), ["z.acme.io"])];
    const claimed = await claim(db(), { most: 10 });
    expect(others.map((id) => countOf(claimed, id))).toEqual([1, 1]);
    expect(countOf(claimed, many)).toBe(8);
  });

  it("gives each application its turn where more have something due than it takes", async () => {
    const all: string[] = [];
    for (let i = 0; i < 15; i++) all.push(await due(await newApplication(), named("a", 3)));
    const first = await claim(db(), { most: 10 });
    const second = await claim(db(), { most: 10, after: first.at(-1)?.applicationId });
    expect(new Set([...first, ...second].map((one) => one.applicationId))).toEqual(new Set(all));
    expect([...first, ...second]).toHaveLength(20);
  });

  it("goes on from host to host of an application", async () => {
    const id = await due(await newApplication(), named("a", 9), 3);
    const limits = Object.fromEntries(named("a", 9).map((host) => [`${id} ${host}`, 1]));
    const hosts: string[] = [];
    for (let i = 0; i < 3; i++) {
      const claimed = await claim(db(), { most: 3, limits, hostsAfter: { [id]: hosts.at(-1) ?? "" } });
      hosts.push(...claimed.map(({ host }) => host));
    }
    expect(hosts).toEqual(named("a", 9));
  });

  it("gives each application at a host five places, and twenty in all but for one that has none", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await due(await newApplication(), ["shared.acme.io"], 10));
    const limits = Object.fromEntries(ids.map((id) => [`${id} shared.acme.io`, 5]));
    const [first = "", ...others] = ids;
    const alone = await claim(db(), { most: 10, limits, keys: [first] });
    expect(countOf(alone, first)).toBe(5);
    const taken = [...alone];
    for (const id of others.slice(0, 3)) taken.push(...(await claim(db(), { most: 10, limits, keys: [id] })));
    expect(taken).toHaveLength(20);
    const last = await claim(db(), { most: 10, limits });
    expect(last.map(({ applicationId }) => applicationId).sort()).toEqual(ids.slice(4).sort());
    expect(await claim(db(), { most: 10, limits })).toEqual([]);
  });

  it("leaves out applications and receivers as it is told", async () => {
    await due(await newApplication(), named("a", 3));
    const other = await due(await newApplication(), named("a", 3));
    const claimed = await claim(db(), { most: 10, keys: [other], limits: { [`${other} a1.acme.io`]: 0 } });
    expect(claimed.map(({ applicationId, host }) => [applicationId, host])).toEqual([
      [other, "a0.acme.io"],
      [other, "a2.acme.io"],
    ]);
  });
});
