import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { sweep } from "@/server/jobs/sweep";
import { loopOf } from "@/server/jobs/work-kinds";
import { nextReplayIn, workReplays } from "@/server/services/staff/deliveries/replays/work";
import { claim, receiverKey } from "@/server/webhooks/claim";
import { dropOldDeliveries } from "@/server/webhooks/retention";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import type { Got } from "../../fakes/receiver";
import {
  addDeliveries,
  addFailedDeliveries,
  backdateDeliveries,
  changeDeliveries,
  changeDelivery,
  dropDeliveries,
  leaseDelivery,
  storedDeliveries,
} from "../../fakes/stored-deliveries";
import { applicationId } from "../grants";
import { wokenLoops } from "../jobs/woken-loops";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { deliveriesOf, openChannel, PATIENCE_MS, work } from "../webhooks/world";
import { auditOf, newOperator, type Operator, refusal } from "./staff-caller";

const SECOND = 1_000;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let staff: Operator;

beforeEach(async () => {
  clock = fakeClock(clock?.now());
  receiver.answer(200);
  staff = await newOperator("support", "Grace");
});

/** An application with so many deliveries of one channel that failed for good, each made a second after the other. */
async function failures(count: number, opened?: Opened) {
  const owner = opened ?? (await openCalendar());
  const application = await applicationId(owner.application);
  const { channel_id: channelId } = await openChannel(owner, receiver.url());
  await work();
  await addFailedDeliveries(channelId, count);
  const came = receiver.got.length;
  const got = (): Got[] => receiver.got.slice(came);
  return { owner, application, channelId, got, filters: { application, state: ["failed" as const] } };
}

/** Goes on with replays until none runs, as wake-ups would: attempts follow each piece. */
async function finish(): Promise<void> {
  await workReplays(db());
  while ((await nextReplayIn(db())) !== null) {
    await loopOf("deliver").drain(PATIENCE_MS);
    clock.advance(SECOND);
    await workReplays(db());
  }
}

/** The channel's failed deliveries are due since 31 seconds. */
async function setLate(channelId: string): Promise<void> {
  const nextAttemptAt = new Date(clock.now() - 31 * SECOND);
  await changeDeliveries({ channelId, state: "failed" }, { state: "pending", attempts: 1, nextAttemptAt });
}

/** As a process does that dies with what it took. */
async function take(most: number) {
  const receivers = await storedDeliveries({});
  return await claim(db(), { most, limits: Object.fromEntries(receivers.map((one) => [receiverKey(one), most])) });
}

const none = { closed: 0, underWay: 0, takenBack: 0, changed: 0 };

const states = async (channelId: string) => {
  const counts = new Map<string, number>();
  for (const { state } of await deliveriesOf(channelId)) counts.set(state, (counts.get(state) ?? 0) + 1);
  return Object.fromEntries(counts);
};

const { start, list, get, cancel } = {
  start: (filters: Parameters<Operator["api"]["deliveries"]["count"]>[0], count: number) =>
    staff.api.deliveries.replays.start({ filters, count }),
  list: () => staff.api.deliveries.replays.list(),
  get: (id: string) => staff.api.deliveries.replays.get({ id }),
  cancel: (id: string) => staff.api.deliveries.replays.cancel({ id }),
};

describe("a replay of many deliveries", () => {
  it("sends all that match again, each once, and says how far it has come", async () => {
    const { filters, channelId, got } = await failures(250);
    const started = await start(filters, 250);
    expect(started).toMatchObject({ state: "running", total: 250, done: 0, retried: 0, startedBy: "Grace", filters });
    await workReplays(db());
    expect(await get(started.id)).toMatchObject({ state: "running", done: 0 });
    await loopOf("deliver").drain(PATIENCE_MS);
    expect(await get(started.id)).toMatchObject({ state: "running", done: 200, retried: 200, leftOut: none });
    await finish();
    expect(await get(started.id)).toMatchObject({
      state: "done",
      total: 250,
      done: 250,
      retried: 250,
      leftOut: none,
      finishedAt: expect.any(String),
    });
    expect(await states(channelId)).toEqual({ delivered: 251 });
    expect(got()).toHaveLength(250);
    expect(new Set(got().map(({ headers }) => headers["svc-delivery-id"])).size).toBe(250);
    expect(new Set(got().map(({ headers }) => headers["svc-delivery-attempt"]))).toEqual(new Set(["11"]));
    expect(await list()).toContainEqual(await get(started.id));
    expect(await auditOf(started.id)).toMatchObject([
      { action: "replay.started", operator_id: staff.id, detail: { filters, total: 250 } },
    ]);
  });

  it("leaves those that fail again what they were, and tries none twice", async () => {
    const { filters, channelId, got } = await failures(120);
    receiver.answer(500);
    const { id } = await start(filters, 120);
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", done: 120, retried: 120, leftOut: none });
    expect(await states(channelId)).toEqual({ delivered: 1, failed: 120 });
    expect(got()).toHaveLength(120);
  });

  it("leaves out those made after its start, and those that match no more", async () => {
    const { filters, channelId, owner, got } = await failures(3);
    const { id } = await start(filters, 3);
    clock.advance(SECOND);
    const later = await failures(2, owner);
    await changeDeliveries({ channelId: later.channelId }, { createdAt: new Date(clock.now()) });
    const [one] = await storedDeliveries({ channelId, state: "failed" });
    await changeDelivery(one?.id ?? "", { state: "cancelled" });
    await finish();
    expect(await get(id)).toMatchObject({
      state: "done",
      total: 3,
      done: 3,
      retried: 2,
      leftOut: { ...none, changed: 1 },
    });
    expect(got().filter(({ headers }) => headers["svc-delivery-attempt"] === "11")).toHaveLength(2);
    expect(await states(later.channelId)).toEqual({ delivered: 1, failed: 2 });
  });

  it("tells before what it sends: what waits, what failed, and what can't be sent", async () => {
    const { filters, channelId, application, owner } = await failures(3);
    const preview = (more: object) => staff.api.deliveries.replays.preview({ application, ...more });
    await addDeliveries(channelId, [
      { nextAttemptAt: new Date(clock.now() + 60 * SECOND) },
      { nextAttemptAt: new Date(clock.now() + 60 * SECOND), attempts: 1, lastStatus: 503 },
    ]);
    const undelivered = ["pending" as const, "failed" as const];
    expect(await preview({ state: undelivered })).toEqual({
      states: { pending: 2, failed: 3 },
      closed: 0,
      total: 5,
      more: false,
    });
    expect(await preview({ channel: channelId, state: ["retrying"] })).toMatchObject({ states: { pending: 1 } });
    expect(await preview({ host: "nobody.io" })).toEqual({ states: {}, closed: 0, total: 0, more: false });
    await owner.remove(`/v1/channels/${channelId}`, {});
    expect(await preview({ state: ["failed"] })).toEqual({ states: {}, closed: 3, total: 3, more: false });
    expect(filters.application).toBe(application);
  });

  it("sends at once what waits for its next attempt, which keeps its time", async () => {
    const { filters, channelId, got } = await failures(1);
    const nextAttemptAt = new Date(clock.now() + 3600 * SECOND);
    const createdAt = new Date(clock.now() - SECOND); // The database's own time may be ahead of this one.
    const waiting = Array.from({ length: 12 }, () => ({
      createdAt,
      host: new URL(receiver.url()).host,
      nextAttemptAt,
      attempts: 3,
      lastStatus: 503,
    }));
    await addDeliveries(channelId, waiting);
    const { id } = await start({ application: filters.application, channel: channelId, state: ["pending"] }, 12);
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", total: 12, retried: 12, leftOut: none });
    expect(got()).toHaveLength(12);
  });

  it("leaves out those whose channel is closed, and says how many", async () => {
    const { filters, channelId, owner, got } = await failures(3);
    const { id } = await start(filters, 3);
    await owner.remove(`/v1/channels/${channelId}`, {});
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", done: 3, retried: 0, leftOut: { ...none, closed: 3 } });
    expect(await states(channelId)).toEqual({ delivered: 1, failed: 3 });
    expect(got()).toEqual([]);
    expect(await refusal(start(filters, 3))).toMatchObject({
      kind: "conflict",
      text: "None can be sent: their channels are closed.",
    });
  });

  it("leaves out those with an attempt under way, or one that staff asked for already, and says how many", async () => {
    const { filters, channelId, got } = await failures(4);
    const [asked = "", busy = ""] = (await deliveriesOf(channelId))
      .filter(({ state }) => state === "failed")
      .map(({ id }) => id);
    await staff.api.deliveries.retry({ id: asked });
    await staff.api.deliveries.retry({ id: busy });
    const until = new Date(clock.now() + 15 * SECOND);
    await leaseDelivery(busy, until, { nextAttemptAt: until });
    const { id } = await start({ ...filters, state: ["failed", "pending"] }, 4);
    await workReplays(db());
    await loopOf("deliver").drain(PATIENCE_MS);
    expect(await get(id)).toMatchObject({ total: 4, done: 4, retried: 2, leftOut: { ...none, underWay: 2 } });
    expect(got()).toHaveLength(3);
    clock.advance(60 * SECOND);
    await finish();
    await work(); // the attempt that was lost is made again
  });

  it("is refused when nothing but a time says which, and narrowed by a filter that was kept", async () => {
    const { channelId, application } = await failures(2);
    const from = "2026-01-01T00:00:00Z";
    for (const filters of [{}, { from }, { from, to: "2099-01-01T00:00:00Z", state: [] }]) {
      expect(await refusal(start(filters, 3))).toMatchObject({
        kind: "invalid",
        issues: [{ path: ["filters"], description: expect.stringMatching(/every application's/) }],
      });
    }
    await setLate(channelId);
    const { id } = await start({ application, late: true }, 2);
    expect(await get(id)).toMatchObject({ filters: { application, late: true } });
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", done: 2, retried: 2, leftOut: none });
    expect(await states(channelId)).toEqual({ delivered: 3 });
  });

  it("attempts at most five at once at a host", async () => {
    let [open, most] = [0, 0];
    const { filters } = await failures(40);
    receiver.answer(async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return 200;
    });
    await start(filters, 40);
    await finish();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(5);
  });

  it("is cancelled in the middle: what was not begun is what it was before", async () => {
    const { filters, channelId, got } = await failures(250);
    const { id } = await start(filters, 250);
    await workReplays(db());
    const [taken] = await storedDeliveries({ replayId: id });
    await leaseDelivery(taken?.id ?? "", new Date(clock.now() + 15 * SECOND), { attempts: 11 });
    expect(await cancel(id)).toMatchObject({ state: "cancelled", total: 250, done: 0 });
    await finish();
    expect(await states(channelId)).toEqual({ delivered: 1, failed: 249, pending: 1 });
    expect(got()).toEqual([]);
    expect(await refusal(cancel(id))).toMatchObject({ kind: "conflict" });
    expect(await refusal(cancel("rpl_0"))).toEqual({ kind: "not_found" });
    expect(await auditOf(id)).toMatchObject([{ action: "replay.started" }, { action: "replay.cancelled" }]);
    clock.advance(60 * SECOND);
    await work(); // the attempt that was lost is made again
  });

  it("is not begun when the count is not about what matches", async () => {
    const { filters, application } = await failures(30);
    expect(await refusal(start(filters, 20))).toMatchObject({ kind: "conflict", text: expect.stringMatching(/^30 /) });
    const none = { application, errorClass: ["tls" as const] };
    expect(await refusal(start(none, 1))).toMatchObject({ kind: "conflict" });
    expect(await refusal(start({ state: ["lost" as "failed"] }, 1))).toMatchObject({ kind: "invalid" });
    expect(await list()).not.toContainEqual(expect.objectContaining({ startedBy: "Grace", total: 30 }));
    expect(await start(filters, 27)).toMatchObject({ total: 30 });
    await finish();
  });

  it("is not begun of more than 10,000", async () => {
    const { filters, channelId } = await failures(10_001);
    const refused = await refusal(start(filters, 10_000));
    expect(refused).toMatchObject({ kind: "conflict", text: expect.stringMatching(/10,000/) });
    await dropDeliveries({ channelId });
  });
});

describe("the figures of a replay", () => {
  it("count those whose channel is deleted before their turn as left out", async () => {
    const { owner, filters, got } = await failures(3);
    const deleted = await failures(120, owner);
    const { id } = await start(filters, 123);
    await workReplays(db());
    await owner.remove(`/v1/channels/${deleted.channelId}`, {});
    expect(await get(id)).toMatchObject({ total: 123, done: 120, retried: 0, leftOut: { ...none, closed: 120 } });
    await finish();
    const came = got().filter(({ headers }) => headers["svc-delivery-attempt"] === "11");
    expect(came).toHaveLength(3);
    expect(await get(id)).toMatchObject({ state: "done", done: 123, retried: 3, leftOut: { ...none, closed: 120 } });
    expect(await states(deleted.channelId)).toEqual({ delivered: 1, failed: 120 });
  });

  it("count what was sent before the channel was deleted, and what its attempts came to after it", async () => {
    const { owner, channelId, filters, got } = await failures(40);
    let deleting: Promise<unknown> | undefined;
    receiver.answer(async () => {
      deleting ??= owner.remove(`/v1/channels/${channelId}`, {});
      await deleting;
      return 500;
    });
    const { id } = await start(filters, 40);
    await finish();
    expect(got().length).toBeGreaterThan(0);
    expect(got().length).toBeLessThan(40);
    expect(await get(id)).toMatchObject({
      done: 40,
      retried: got().length,
      leftOut: { ...none, closed: 40 - got().length },
    });
  });

  it("count those that a receiver refused for ever by closing its channel", async () => {
    const { filters, got } = await failures(40);
    receiver.answer(410);
    const { id } = await start(filters, 40);
    await finish();
    expect(got().length).toBeLessThan(40);
    expect(await get(id)).toMatchObject({
      retried: got().length,
      leftOut: { ...none, closed: 40 - got().length },
    });
  });

  it("count those that staff took back one by one, and one whose attempts were lost as retried once", async () => {
    const { filters, channelId } = await failures(4);
    const { id } = await start(filters, 4);
    await workReplays(db());
    const [back = "", lost = "", stopped = ""] = (await deliveriesOf(channelId))
      .filter(({ state }) => state === "pending")
      .map((delivery) => delivery.id);
    await staff.api.deliveries.cancel({ id: back, requested: true });
    const claimed = await take(5);
    expect(claimed).toHaveLength(3);
    expect(await get(id)).toMatchObject({ done: 1, retried: 0, leftOut: { ...none, takenBack: 1 } });
    clock.advance(16 * SECOND);
    await staff.api.deliveries.cancel({ id: stopped, requested: true });
    expect(await get(id)).toMatchObject({ done: 2, retried: 1, leftOut: { ...none, takenBack: 1 } });
    expect(await take(1)).toHaveLength(1);
    clock.advance(16 * SECOND);
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", done: 4, retried: 3, leftOut: { ...none, takenBack: 1 } });
    expect((await deliveriesOf(channelId)).find((delivery) => delivery.id === lost)?.state).toBe("delivered");
  });

  it("leave what a stop kept from being begun out of both, and keep what was begun", async () => {
    const { filters } = await failures(150);
    const { id } = await start(filters, 150);
    await workReplays(db());
    const claimed = await take(5);
    expect(claimed).toHaveLength(5);
    clock.advance(16 * SECOND);
    expect(await cancel(id)).toMatchObject({ state: "cancelled", total: 150, done: 5, retried: 5, leftOut: none });
  });

  it("are true of deliveries that are over 30 days old, which go when they were sent", async () => {
    const { filters, channelId } = await failures(2);
    await backdateDeliveries({ channelId, state: "failed" }, 31 * 24 * 3_600 * SECOND);
    const { id } = await start(filters, 2);
    await workReplays(db());
    await dropOldDeliveries(db(), clock.now() as Instant);
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", retried: 2, leftOut: none });
    expect(await states(channelId)).toEqual({ delivered: 3 });
    await dropOldDeliveries(db(), clock.now() as Instant);
    expect(await states(channelId)).toEqual({ delivered: 1 });
  });

  it("are kept of one that was begun without a tally", async () => {
    const { filters, channelId } = await failures(4);
    const begun = async () => [{ n: await db().prisma.replayTally.count({ where: { replayId: id } }) }];
    const forget = () => db().prisma.replayTally.deleteMany({ where: { replayId: id } });
    const { id } = await start(filters, 4);
    await forget();
    expect(await get(id)).toMatchObject({ state: "running", total: 4, done: 0, retried: 0, leftOut: none });
    expect(await list()).toContainEqual(await get(id));
    await workReplays(db());
    const back = (await deliveriesOf(channelId)).find(({ state }) => state === "pending")?.id ?? "";
    await staff.api.deliveries.cancel({ id: back, requested: true });
    expect(await get(id)).toMatchObject({ done: 1, retried: 0, leftOut: { ...none, takenBack: 1 } });
    await forget();
    expect(await take(2)).toHaveLength(2);
    expect(await take(1)).toHaveLength(1);
    expect(await begun()).toEqual([{ n: 1 }]);
    clock.advance(16 * SECOND);
    await finish();
    // What was forgotten is not known any more.
    expect(await get(id)).toMatchObject({ state: "done", done: 4, retried: 3, leftOut: { ...none, closed: 1 } });
  });

  it("find more when more come to match before their turn", async () => {
    const { channelId, application } = await failures(2);
    await setLate(channelId);
    const [first = ""] = (await storedDeliveries({ channelId, state: "pending" })).map(({ id }) => id).sort();
    await changeDelivery(first, { nextAttemptAt: new Date(clock.now() - 11 * SECOND) });
    const { id } = await start({ application, late: true }, 1);
    expect(await get(id)).toMatchObject({ total: 1 });
    clock.advance(20 * SECOND);
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", total: 2, done: 2, retried: 2, leftOut: none });
  });
});

describe("a replay whose process died", () => {
  it("is found by the next sweep, and goes on where it was", async () => {
    const { filters, got } = await failures(5);
    const { id } = await start(filters, 5);
    expect(await sweep()).toMatchObject({ replay: false });
    clock.advance(3 * SECOND);
    expect(await sweep()).toMatchObject({ replay: true });
    await loopOf("deliver").drain(PATIENCE_MS);
    await finish();
    expect(await get(id)).toMatchObject({ state: "done", done: 5 });
    expect(got()).toHaveLength(5);
  });

  it("is worked at by several processes at once without sending anything twice", async () => {
    const { filters, got } = await failures(150);
    await start(filters, 150);
    await Promise.all([1, 2, 3].map(() => workReplays(db())));
    await loopOf("deliver").drain(PATIENCE_MS);
    await finish();
    expect(got()).toHaveLength(150);
  });

  it("is woken piece after piece", async () => {
    const settle = wokenLoops();
    const { filters, got } = await failures(230);
    const { id } = await start(filters, 230);
    for (let i = 0; i < 6; i++) {
      await settle();
      clock.advance(SECOND);
    }
    expect(await get(id)).toMatchObject({ state: "done", done: 230 });
    expect(got()).toHaveLength(230);
  });
});
