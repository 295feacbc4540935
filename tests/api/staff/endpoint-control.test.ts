import { beforeEach, describe, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import {
  addAttempts,
  addChannels,
  addDeliveries,
  storedChannel,
  storedDeliveries,
} from "../../fakes/stored-deliveries";
import { auditTrail } from "../../fakes/stored-operators";
import { connectAccount } from "../grants";
import { ownReceiver } from "../own-receiver";
import { newApplication, type Opened, openCalendar } from "../service";
import { openChannel, theyWrite, work } from "../webhooks/world";
import { newOperator, type Operator, refusal } from "./staff-caller";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let admin: Operator;
let opened: Opened;
let id: string;

beforeEach(async () => {
  clock = fakeClock();
  receiver.answer(200);
  admin = await newOperator("admin");
  opened = await openCalendar();
  ({ channel_id: id } = await openChannel(opened, receiver.url(`/${opened.accountId}`)));
  await work();
});

const typesGot = () =>
  receiver.got.filter(({ json }) => json.channel.channel_id === id).map(({ json }) => json.notification.type as string);
const actions = async () => (await auditTrail(id)).map(({ action }) => action);

async function somethingChanges(name: string) {
  await theyWrite(opened, name);
  clock.advance(2_000);
  await work();
}

async function pendingOf() {
  const rows = await storedDeliveries({ channelId: id, state: "pending" });
  return rows.map(({ attempts, nextAttemptAt }) => ({ attempts, nextAttemptAt }));
}

describe("an endpoint that is paused", () => {
  it("holds its deliveries without an attempt, however long, and sends them when it is resumed", async () => {
    await admin.api.channels.pause({ id });
    await somethingChanges("e1");
    await somethingChanges("e2");
    expect(await pendingOf()).toEqual([{ attempts: 0, nextAttemptAt: null }]);
    expect((await admin.api.deliveries.list({ channel: id, state: ["queued"] })).items).toMatchObject([
      { late: false, nextAttemptAt: null },
    ]);
    clock.advance(72 * HOUR);
    await work();
    expect(typesGot()).toEqual(["verification"]);
    await admin.api.channels.resume({ id });
    await work();
    expect(typesGot()).toEqual(["verification", "change"]);
    expect(await pendingOf()).toEqual([]);
    expect((await storedChannel(id)).pausedAt).toBeNull();
    expect(await actions()).toEqual(["channel.paused", "channel.resumed"]);
  });

  it("holds what is between two attempts, and goes on with its schedule afterwards", async () => {
    receiver.answer(500);
    await somethingChanges("e1");
    await admin.api.channels.pause({ id });
    expect(await pendingOf()).toEqual([{ attempts: 1, nextAttemptAt: null }]);
    clock.advance(HOUR);
    await somethingChanges("e2");
    expect(await pendingOf()).toEqual([{ attempts: 1, nextAttemptAt: null }]);
    await admin.api.channels.resume({ id });
    await work();
    expect(await pendingOf()).toMatchObject([{ attempts: 2, nextAttemptAt: expect.any(Date) }]);
    receiver.answer(200);
    clock.advance(2 * MINUTE);
    await work();
    clock.advance(2_000);
    await work();
    expect(typesGot()).toEqual(["verification", "change", "change", "change", "change"]);
    expect(await pendingOf()).toEqual([]);
  });

  it("is sent what somebody asks for: a test event and a retry, after which a delivery is held again", async () => {
    receiver.answer(500);
    await somethingChanges("e1");
    const [, change] = await storedDeliveries({ channelId: id });
    await admin.api.channels.pause({ id });
    await admin.api.deliveries.retry({ id: change?.id ?? "" });
    await work();
    expect(await pendingOf()).toEqual([{ attempts: 2, nextAttemptAt: null }]);
    receiver.answer(200);
    await admin.api.channels.test({ id });
    await work();
    expect(typesGot()).toEqual(["verification", "change", "change", "change"]);
    expect(await pendingOf()).toHaveLength(1);
  });

  it("fails a held delivery that outlived its schedule after the one attempt that resuming makes", async () => {
    receiver.answer(500);
    await somethingChanges("e1");
    await admin.api.channels.pause({ id });
    clock.advance(60 * HOUR);
    await admin.api.channels.resume({ id });
    await work();
    clock.advance(MINUTE);
    await work();
    expect(await storedDeliveries({ channelId: id })).toMatchObject([
      { state: "delivered" },
      { state: "failed", attempts: 2 },
    ]);
    expect((await storedChannel(id)).unnotifiedSince).not.toBeNull();
  });

  it("reaches back to its pause when what it held is gone", async () => {
    await admin.api.channels.pause({ id });
    const { pausedAt } = await storedChannel(id);
    clock.advance(31 * 24 * HOUR);
    await admin.api.channels.resume({ id });
    expect((await storedChannel(id)).unnotifiedSince).toEqual(pausedAt);
  });

  it("is an open channel to the application, and a paused endpoint to staff", async () => {
    await admin.api.channels.pause({ id });
    const { json } = await opened.get("/v1/channels");
    expect(json.channels).toMatchObject([{ channel_id: id }]);
    expect(Object.keys(json.channels[0])).toEqual(["channel_id", "callback_url", "filters"]);
    const of = { account: opened.accountId };
    expect((await admin.api.endpoints.list({ ...of, state: ["paused"] })).items).toMatchObject([
      { id, state: "paused" },
    ]);
    expect((await admin.api.endpoints.list({ ...of, state: ["active", "failing"] })).items).toEqual([]);
    expect(await opened.post(`/v1/channels/${id}/test`, {})).toMatchObject({ status: 202 });
  });

  it("cannot be paused or resumed twice, nor when it is closed", async () => {
    expect(await refusal(admin.api.channels.resume({ id }))).toMatchObject({ kind: "conflict" });
    await admin.api.channels.pause({ id });
    expect(await refusal(admin.api.channels.pause({ id }))).toMatchObject({ kind: "conflict" });
    await admin.api.channels.close({ id });
    expect(await refusal(admin.api.channels.resume({ id }))).toMatchObject({ kind: "conflict" });
    expect(await refusal(admin.api.channels.pause({ id }))).toMatchObject({ kind: "conflict" });
    expect(await actions()).toEqual(["channel.paused", "channel.closed"]);
  });
});

describe("closing an endpoint", () => {
  it("cancels what is pending, as the application's own DELETE does", async () => {
    receiver.answer(500);
    await somethingChanges("e1");
    await admin.api.channels.close({ id });
    expect(await storedChannel(id)).toMatchObject({ closedAt: expect.any(Date), closedBy: "staff" });
    expect(await storedDeliveries({ channelId: id })).toMatchObject([{ state: "delivered" }, { state: "cancelled" }]);
    expect(await refusal(admin.api.channels.close({ id }))).toMatchObject({ kind: "conflict" });
    expect(await opened.remove(`/v1/channels/${id}`, {})).toMatchObject({ status: 202 });
    expect(await storedChannel(id)).toMatchObject({ closedBy: "staff" });
    expect(await actions()).toEqual(["channel.closed"]);
  });
});

describe("the page of an endpoint", () => {
  it("has its whole URL, which is noted, and its attempts hour by hour", async () => {
    const now = Date.parse("2026-11-21T10:20:00Z");
    fakeClock(now);
    const { accountId } = await connectAccount(await newApplication());
    const callbackUrl = "https://hooks.acme.io/cb?token=s3cret";
    await addChannels(accountId, [
      { id: "chn_page", callbackUrl, failures: 3, failing: true, failingSince: new Date(now - HOUR), calendarIds: [] },
    ]);
    const ago = (minutes: number) => new Date(now - minutes * MINUTE);
    const [first = "", second = ""] = await addDeliveries("chn_page", [
      { createdAt: ago(26 * 60), state: "delivered", attempts: 1 },
      { createdAt: ago(80), attempts: 3, lastStatus: 503, nextAttemptAt: ago(-60) },
    ]);
    await addAttempts(first, [{ startedAt: ago(26 * 60), status: 200, durationMs: 40 }]);
    await addAttempts(
      second,
      [80, 79, 10].map((minutes) => ({ startedAt: ago(minutes), status: 503, durationMs: 20 })),
    );
    const support = await newOperator("support");
    expect(await support.api.endpoints.get({ id: "chn_page" })).toMatchObject({
      ...{ callbackUrl, state: "failing", consecutiveFailures: 3, attempts24h: 3, successRate24h: 0, p50Ms: 20 },
      ...{
        waiting: { count: 1, more: false },
        oldestPendingAt: ago(80).toISOString(),
        lastAttemptAt: ago(10).toISOString(),
      },
      lastFailure: { at: ago(10).toISOString(), status: 503, error: null },
    });
    await support.api.endpoints.get({ id: "chn_page" });
    expect((await auditTrail("chn_page")).map(({ action }) => action)).toEqual(["endpoint.viewed"]);
    const { bars, deliveries, pulse } = await support.api.endpoints.get({ id: "chn_page" });
    expect(deliveries.map(({ id }) => id)).toEqual([second, first]);
    expect(pulse).toEqual(await support.api.deliveries.pulse({ channel: "chn_page" }));
    expect(bars).toHaveLength(24);
    expect(bars.slice(-3)).toEqual([
      { at: "2026-11-21T08:00:00.000Z", succeeded: 0, failed: 0 },
      { at: "2026-11-21T09:00:00.000Z", succeeded: 0, failed: 2 },
      { at: "2026-11-21T10:00:00.000Z", succeeded: 0, failed: 1 },
    ]);
    const week = (await support.api.endpoints.get({ id: "chn_page", hours: 168 })).bars;
    expect([week.length, week.filter(({ succeeded }) => succeeded > 0)]).toEqual([
      168,
      [{ at: "2026-11-20T08:00:00.000Z", succeeded: 1, failed: 0 }],
    ]);
  });
});
