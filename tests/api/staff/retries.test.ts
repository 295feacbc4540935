import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { claim } from "@/server/webhooks/claim";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import {
  changeDelivery,
  failDelivery,
  leaseDelivery,
  storedChannel,
  storedDelivery,
} from "../../fakes/stored-deliveries";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { attemptsOf, deliveriesOf, openChannel, theyWrite, work } from "../webhooks/world";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let staff: Operator;
let admin: Operator;

beforeEach(async () => {
  clock = fakeClock();
  receiver.answer(200);
  staff = await newOperator("support");
  admin = await newOperator("admin");
});

/** A channel of its own, whose verification was attempted once and answered with the status. */
async function attempted(status: number, opened?: Opened) {
  receiver.answer(status);
  const owner = opened ?? (await openCalendar());
  const { channel_id: channelId } = await openChannel(owner, receiver.url(`/${owner.accountId}`));
  await work();
  const [delivery] = await deliveriesOf(channelId);
  if (!delivery) throw new Error("there is no delivery");
  const got = () => receiver.got.filter(({ json }) => json.channel.channel_id === channelId);
  return { owner, channelId, id: delivery.id, got };
}

async function fail(id: string): Promise<void> {
  const { createdAt } = await storedDelivery(id);
  await failDelivery(id, { attempts: 10, finishedAt: new Date(createdAt.getTime() + HOUR) });
}

const get = (id: string) => staff.api.deliveries.get({ id });
const numbers = async (id: string) => (await attemptsOf(id)).map(({ number }) => number);

describe("a retry of a pending delivery", () => {
  it("is attempted at once, under the same Svc-Delivery-Id, as the next attempt, and is marked manual", async () => {
    const { id, got } = await attempted(500);
    receiver.answer(200);
    expect(await staff.api.deliveries.retry({ id })).toEqual({ id, attempt: 2 });
    expect(await get(id)).toMatchObject({ state: "pending", replayAsked: true, manual: true });
    await work();
    expect(got().map(({ headers }) => [headers["svc-delivery-id"], headers["svc-delivery-attempt"]])).toEqual([
      [id, "1"],
      [id, "2"],
    ]);
    expect(got()[1]?.body).toBe(got()[0]?.body);
    const detail = await get(id);
    expect(detail).toMatchObject({
      state: "delivered",
      attempts: 2,
      manual: true,
      replayAsked: false,
      lastStatus: 200,
    });
    expect(detail.attemptRows).toMatchObject([{ manual: false }, { number: 2, manual: true, status: 200 }]);
    expect(await auditOf(id)).toMatchObject([
      { action: "delivery.retried", operator_id: staff.id, detail: { state: "pending" } },
      { action: "delivery.viewed" },
    ]);
  });

  it("that fails leaves the next attempt at its time, and takes none of the ten", async () => {
    const { id, got } = await attempted(500);
    const { nextAttemptAt: before, waits, createdAt } = await get(id);
    expect(waits.last?.number).toBe(10);
    const hours = (Date.parse(waits.last?.at ?? "") - Date.parse(createdAt)) / HOUR;
    expect([hours > 23, hours < 26]).toEqual([true, true]);
    await staff.api.deliveries.retry({ id });
    expect((await get(id)).waits.last).toEqual(waits.last);
    await work();
    expect(await get(id)).toMatchObject({ state: "pending", attempts: 2, nextAttemptAt: before, waits: { made: 1 } });
    clock.advance(17 * SECOND);
    await work();
    const due = Date.parse((await get(id)).nextAttemptAt ?? "") - clock.now();
    expect(due).toBeGreaterThanOrEqual(60 * SECOND - 1);
    expect(due).toBeLessThanOrEqual(66 * SECOND + 1);
    for (let attempts = 3; attempts <= 10; attempts++) {
      expect(await get(id)).toMatchObject({ state: "pending", attempts });
      await changeDelivery(id, { nextAttemptAt: new Date(clock.now()) });
      await work();
    }
    expect(await get(id)).toMatchObject({ state: "failed", attempts: 11, waits: { made: 10, last: null } });
    expect(got()).toHaveLength(11);
  });

  it("is refused while an attempt is under way, and while it is asked for already", async () => {
    const { id } = await attempted(500);
    await leaseDelivery(id, new Date(clock.now() + 15 * SECOND));
    expect(await refusal(staff.api.deliveries.retry({ id }))).toMatchObject({
      kind: "conflict",
      text: expect.stringMatching(/in progress/),
    });
    await changeDelivery(id, { lease: null, leasedUntil: null });
    await staff.api.deliveries.retry({ id });
    expect(await refusal(staff.api.deliveries.retry({ id }))).toMatchObject({
      kind: "conflict",
      text: expect.stringMatching(/already/),
    });
    expect((await auditOf(id)).filter(({ action }) => action === "delivery.retried")).toHaveLength(1);
  });
});

describe("a retry of a delivery that is over", () => {
  it("works past ten attempts and 48 hours, and one that arrives makes a failed one delivered", async () => {
    const { id, got } = await attempted(500);
    await fail(id);
    clock.advance(72 * HOUR);
    receiver.answer(200);
    await staff.api.deliveries.retry({ id });
    await work();
    expect(got().at(-1)?.headers["svc-delivery-attempt"]).toBe("11");
    expect(await get(id)).toMatchObject({
      state: "delivered",
      attempts: 11,
      finishedAt: new Date(clock.now()).toISOString(),
    });
  });

  it("that fails leaves a failed one failed, and begins no schedule", async () => {
    const { id, got } = await attempted(500);
    await fail(id);
    const { finishedAt } = await get(id);
    receiver.answer(404);
    await staff.api.deliveries.retry({ id });
    await work();
    expect(await get(id)).toMatchObject({
      state: "failed",
      finishedAt,
      nextAttemptAt: null,
      lastStatus: 404,
      attempts: 11,
    });
    clock.advance(60 * HOUR);
    await work();
    expect(got()).toHaveLength(2);
  });

  it("sends one again that arrived, which stays delivered when that fails", async () => {
    const { id, got } = await attempted(204);
    const before = await get(id);
    receiver.answer(500);
    clock.advance(HOUR);
    await staff.api.deliveries.retry({ id });
    await work();
    expect(await get(id)).toMatchObject({
      state: "delivered",
      lastStatus: 204,
      lastError: null,
      finishedAt: before.finishedAt,
    });
    expect((await get(id)).attemptRows).toMatchObject([{ status: 204 }, { status: 500, manual: true }]);
    expect(got()).toHaveLength(2);
  });

  it("sends a cancelled one while its channel is open, and is refused when it is closed", async () => {
    const { id, owner, channelId } = await attempted(500);
    await admin.api.deliveries.cancel({ id });
    receiver.answer(200);
    await staff.api.deliveries.retry({ id });
    await work();
    expect(await get(id)).toMatchObject({ state: "delivered", attempts: 2 });
    await owner.remove(`/v1/channels/${channelId}`, {});
    expect(await refusal(staff.api.deliveries.retry({ id }))).toMatchObject({
      kind: "conflict",
      text: expect.stringMatching(/closed/),
    });
    expect(await refusal(staff.api.deliveries.retry({ id: "whd_000000000000000000000000" }))).toEqual({
      kind: "not_found",
    });
  });

  it("that is answered with 410 closes the channel, and what had arrived stays delivered", async () => {
    const { id, channelId } = await attempted(200);
    receiver.answer(410);
    await staff.api.deliveries.retry({ id });
    await work();
    expect(await get(id)).toMatchObject({ state: "delivered", channel: { id: channelId, closedBy: "gone" } });
  });

  it("ends with its channel: what was only to be sent again is what it was before", async () => {
    const { id, owner, channelId } = await attempted(200);
    const { finishedAt } = await get(id);
    await staff.api.deliveries.retry({ id });
    await owner.remove(`/v1/channels/${channelId}`, {});
    await work();
    expect(await get(id)).toMatchObject({ state: "delivered", attempts: 1, finishedAt, nextAttemptAt: null });
  });
});

describe("changes that a retried delivery announced", () => {
  /** A change whose notification failed for good. */
  async function failedChange() {
    const { owner, channelId, got } = await attempted(200);
    await theyWrite(owner, "one");
    clock.advance(SECOND);
    receiver.answer(500);
    await work();
    const change = (await deliveriesOf(channelId)).find(({ type }) => type === "change");
    if (!change) throw new Error("there is no change");
    return { id: change.id, owner, channelId, got };
  }

  it("are not announced again because its retry fails when a later notification has announced them", async () => {
    const { id, channelId } = await failedChange();
    await fail(id);
    await staff.api.deliveries.retry({ id });
    await work();
    expect(await get(id)).toMatchObject({ state: "failed" });
    expect((await storedChannel(channelId)).unnotifiedSince).toBeNull();
  });

  it("need no announcing any more when its retry arrives", async () => {
    const { id, channelId } = await failedChange();
    clock.advance(48 * HOUR + SECOND);
    await work();
    expect((await storedChannel(channelId)).unnotifiedSince).toBeInstanceOf(Date);
    receiver.answer(200);
    await staff.api.deliveries.retry({ id });
    await work();
    expect(await get(id)).toMatchObject({ state: "delivered" });
    expect((await storedChannel(channelId)).unnotifiedSince).toBeNull();
  });

  it("are announced by the next notification when it is cancelled", async () => {
    const { id, owner, got } = await failedChange();
    await admin.api.deliveries.cancel({ id });
    const first = got().at(-1)?.json.notification.changes_since;
    clock.advance(HOUR);
    receiver.answer(200);
    await theyWrite(owner, "two");
    clock.advance(SECOND);
    await work();
    expect(got()).toHaveLength(3);
    expect(got().at(-1)?.json.notification.changes_since).toBe(first);
  });
});

describe("an attempt that staff asked for and that was lost with its process", () => {
  const take = () => claim(db(), { most: 10 });

  it("is made again, and counted each time", async () => {
    const { id } = await attempted(500);
    await fail(id);
    await staff.api.deliveries.retry({ id });
    expect(await take()).toMatchObject([{ id, attempt: 11, manual: true }]);
    clock.advance(10 * SECOND);
    await work();
    expect(await numbers(id)).toEqual([1]);
    receiver.answer(200);
    clock.advance(6 * SECOND);
    await work();
    expect(await get(id)).toMatchObject({ state: "delivered", attempts: 12 });
    expect(await numbers(id)).toEqual([1, 12]);
  });

  it("is given up after three, and the delivery is what it was before", async () => {
    const over = await attempted(500);
    await fail(over.id);
    const waiting = await attempted(500);
    await changeDelivery(waiting.id, { nextAttemptAt: new Date(clock.now() + HOUR) });
    const { nextAttemptAt } = await get(waiting.id);
    for (const { id } of [over, waiting]) await staff.api.deliveries.retry({ id });
    for (let i = 0; i < 3; i++) {
      await take();
      await take(); // of a host that was not asked yet one at a time
      clock.advance(16 * SECOND);
    }
    receiver.answer(200);
    await work();
    expect(await get(over.id)).toMatchObject({ state: "failed", attempts: 13, replayAsked: false });
    expect(await get(waiting.id)).toMatchObject({ state: "pending", attempts: 4, nextAttemptAt, waits: { made: 1 } });
  });
});

describe("cancelling a delivery", () => {
  it("ends it without another attempt", async () => {
    const { id, got } = await attempted(500);
    expect(await admin.api.deliveries.cancel({ id })).toEqual({ id, state: "cancelled" });
    clock.advance(49 * HOUR);
    await work();
    expect(got()).toHaveLength(1);
    expect(await get(id)).toMatchObject({ state: "cancelled", attempts: 1, nextAttemptAt: null });
    expect(await auditOf(id)).toMatchObject([{ action: "delivery.cancelled" }, { action: "delivery.viewed" }]);
  });

  it("does not call back the attempt that is under way: one that is accepted is delivered", async () => {
    let answer = (_: number) => {};
    const asked = new Promise<void>((resolve) => {
      receiver.answer(() => {
        resolve();
        return new Promise((done) => {
          answer = done;
        });
      });
    });
    const { channel_id } = await openChannel(await openCalendar(), receiver.url("/slow"));
    const working = work();
    await asked;
    const [delivery] = await deliveriesOf(channel_id);
    const id = delivery?.id ?? "";
    await admin.api.deliveries.cancel({ id });
    expect(await get(id)).toMatchObject({ state: "cancelled" });
    answer(200);
    await working;
    expect(await get(id)).toMatchObject({ state: "delivered", lastStatus: 200, attemptRows: [{ status: 200 }] });
  });

  it("takes back a retry that has not begun", async () => {
    const { id, got } = await attempted(200);
    await staff.api.deliveries.retry({ id });
    expect(await staff.api.deliveries.cancel({ id, requested: true })).toEqual({ id, state: "delivered" });
    await work();
    expect(got()).toHaveLength(1);
  });

  it("that is pending by itself takes back a retry alone: its next attempt is made at its time", async () => {
    const { id, got } = await attempted(500);
    const { nextAttemptAt } = await get(id);
    await staff.api.deliveries.retry({ id });
    expect(await staff.api.deliveries.cancel({ id })).toEqual({ id, state: "pending" });
    expect(await get(id)).toMatchObject({ state: "pending", replayAsked: false, nextAttemptAt });
    await work();
    expect(got()).toHaveLength(1);
  });

  it("that is pending by itself waits for the end of a retry that is under way", async () => {
    const { id } = await attempted(500);
    await staff.api.deliveries.retry({ id });
    await leaseDelivery(id, new Date(clock.now() + 15 * SECOND));
    for (const { api } of [staff, admin]) {
      expect(await refusal(api.deliveries.cancel({ id }))).toMatchObject({
        kind: "conflict",
        text: expect.stringMatching(/in progress/),
      });
    }
    await changeDelivery(id, { lease: null, leasedUntil: null });
    await staff.api.deliveries.cancel({ id });
  });

  it("that nobody asked to send again is for admins", async () => {
    const { id } = await attempted(500);
    expect(await refusal(staff.api.deliveries.cancel({ id }))).toMatchObject({
      kind: "forbidden",
      text: expect.stringMatching(/admin/),
    });
    expect(await get(id)).toMatchObject({ state: "pending" });
    expect(await auditOf(id)).toMatchObject([{ action: "delivery.viewed" }]);
  });

  it("ends nothing when it was to take back a retry that is over by then", async () => {
    const { id } = await attempted(500);
    expect(await refusal(admin.api.deliveries.cancel({ id, requested: true }))).toMatchObject({ kind: "conflict" });
    expect(await get(id)).toMatchObject({ state: "pending" });
  });

  it("is refused of one that is over", async () => {
    const { id } = await attempted(200);
    expect(await refusal(admin.api.deliveries.cancel({ id }))).toMatchObject({
      kind: "conflict",
      text: expect.stringMatching(/delivered/),
    });
    expect(await refusal(admin.api.deliveries.cancel({ id: "whd_0" }))).toEqual({ kind: "not_found" });
  });
});

describe("a test event from the dashboard", () => {
  it("is sent to the channel, marked, and noted in the audit trail", async () => {
    const { channelId, got } = await attempted(200);
    clock.advance(SECOND);
    const { deliveryId } = await staff.api.channels.test({ id: channelId });
    expect(await staff.api.deliveries.progress({ id: deliveryId })).toMatchObject({ waiting: true, last: null });
    await work();
    expect(await staff.api.deliveries.progress({ id: deliveryId })).toMatchObject({
      waiting: false,
      last: { number: 1, status: 200 },
    });
    expect(got()[1]).toMatchObject({
      json: { notification: { type: "change" } },
      headers: { "svc-delivery-id": deliveryId },
    });
    const { items } = await staff.api.deliveries.list({ channel: channelId });
    expect(items.map(({ id, test }) => ({ id, test }))).toMatchObject([
      { id: deliveryId, test: true },
      { test: false },
    ]);
    expect(await auditOf(channelId)).toMatchObject([
      { action: "channel.tested", operator_id: staff.id, detail: { delivery: deliveryId } },
    ]);
  });

  it("is not sent to a channel that is closed, and leaves nothing behind", async () => {
    const { channelId } = await attempted(410);
    expect(await refusal(staff.api.channels.test({ id: channelId }))).toMatchObject({ kind: "not_found" });
    expect(await deliveriesOf(channelId)).toHaveLength(1);
    expect(await auditOf(channelId)).toEqual([]);
  });
});
