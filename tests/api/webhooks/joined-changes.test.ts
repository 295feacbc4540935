import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { locks } from "@/server/db/locks";
import { loopOf } from "@/server/jobs/work-kinds";
import { claim } from "@/server/webhooks/claim";
import { fanOut } from "@/server/webhooks/fan-out";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import type { Got } from "../../fakes/receiver";
import { changeDeliveries, storedDeliveries, storedDelivery } from "../../fakes/stored-deliveries";
import { addSignal, setPayload, setSignalsDue } from "../../fakes/stored-signals";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { newOperator } from "../staff/staff-caller";
import { deliveriesOf, openChannel, PATIENCE_MS, theyWrite, work } from "./world";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;

beforeEach(() => {
  clock = fakeClock();
  receiver.answer(200);
});

/** A calendar with a channel whose verification is over. */
async function watched() {
  const opened = await openCalendar();
  const { channel_id } = await openChannel(opened, receiver.url(`/${opened.accountId}`));
  await work();
  const isOurs = ({ json }: Got) => json.channel.channel_id === channel_id && json.notification.type === "change";
  const got = () =>
    receiver.got.filter(isOurs).map(({ body, json, headers }) => ({
      body,
      since: json.notification.changes_since as string,
      id: String(headers["svc-delivery-id"]),
      attempt: Number(headers["svc-delivery-attempt"]),
    }));
  const rows = async () => (await deliveriesOf(channel_id)).filter(({ type }) => type === "change");
  const states = async () => (await rows()).map(({ state }) => state);
  return { opened, channelId: channel_id, isOurs, got, rows, states };
}

let written = 0;

/** Others change the calendar so that its time is a little later than before, and the second in which changes gather passes. */
async function change(opened: Opened): Promise<void> {
  await theyWrite(opened, `event ${written++}`);
  clock.advance(1.1 * SECOND);
  await fanOut(db());
}

async function changeAndSend(opened: Opened): Promise<void> {
  await change(opened);
  await work();
}

/** Time passes, a signal that was left is turned into a delivery, and deliveries are attempted. */
async function later(ms: number): Promise<void> {
  clock.advance(ms);
  await loopOf("deliver").drain(PATIENCE_MS);
  await work();
}

/** Answers that wait until they are let go. */
function held() {
  let release = (_: number) => {};
  const status = new Promise<number>((resolve) => {
    release = resolve;
  });
  receiver.answer(() => status);
  return release;
}

describe("a change while one is pending that", () => {
  it("was never attempted is announced by it", async () => {
    const { opened, got, rows } = await watched();
    await change(opened);
    const before = await storedDelivery((await rows())[0]?.id ?? "");
    await change(opened);
    await change(opened);
    await work();
    expect(got().map(({ body }) => body)).toEqual([before.body]);
    expect(await rows()).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  it("was never attempted, and that was before what its body says, gets a delivery of its own", async () => {
    const { opened, got, rows } = await watched();
    await change(opened);
    await theyWrite(opened, "earlier");
    await setPayload(opened.accountId, { at: Date.parse("2026-01-02T03:04:05.999Z") });
    clock.advance(1.1 * SECOND);
    await work();
    expect(await rows()).toHaveLength(2);
    expect(got().map(({ since }) => since)).toContain("2026-01-02T03:04:05Z");
  });

  it("is under way is announced by another one after it was accepted", async () => {
    const { opened, isOurs, got, states } = await watched();
    const release = held();
    await change(opened);
    const sending = loopOf("deliver").drain(PATIENCE_MS);
    await receiver.next(isOurs);
    await change(opened);
    await change(opened);
    expect(await states()).toEqual(["pending"]);
    release(200);
    await sending;
    await work();
    expect(await states()).toEqual(["delivered", "delivered"]);
    const [first, second, ...others] = got();
    expect(others).toEqual([]);
    expect(second?.id).not.toBe(first?.id);
    const query = { tzid: "Etc/UTC", last_modified: second?.since ?? "" };
    expect((await opened.get("/v1/events", query)).json.events.length).toBeGreaterThanOrEqual(2);
  });

  it("waits for a retry is announced by another one after that was accepted, and the retry has the same bytes", async () => {
    const { opened, got, states } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    for (let i = 0; i < 5; i++) await changeAndSend(opened);
    expect(await states()).toEqual(["pending"]);
    expect(got()).toHaveLength(1);
    receiver.answer(200);
    await later(17 * SECOND);
    expect(await states()).toEqual(["delivered", "delivered"]);
    const [first, retry, next, ...others] = got();
    expect(others).toEqual([]);
    expect(retry).toEqual({ ...first, attempt: 2 });
    expect(next?.id).not.toBe(first?.id);
  });

  it("fails for good is announced by another one, which reaches back to it", async () => {
    const { opened, got, states } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    await changeAndSend(opened);
    await changeDeliveries({ accountId: opened.accountId, state: "pending" }, { attempts: 9 });
    await later(17 * SECOND);
    expect(await states()).toEqual(["failed", "pending"]);
    const [first, , next] = got();
    expect(next).toMatchObject({ since: first?.since, attempt: 1 });
    expect(next?.id).not.toBe(first?.id);
  });

  it("is 48 hours old when its last attempt was lost is announced by another one", async () => {
    const { opened, states } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    await changeAndSend(opened);
    receiver.answer(200);
    await later(49 * HOUR);
    expect(await states()).toEqual(["failed", "delivered"]);
  });

  it("staff cancel is announced by another one, which reaches back to it", async () => {
    const admin = await newOperator("admin");
    const { opened, got, rows, states } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    await changeAndSend(opened);
    receiver.answer(200);
    await admin.api.deliveries.cancel({ id: (await rows())[0]?.id ?? "" });
    await work();
    expect(await states()).toEqual(["cancelled", "delivered"]);
    expect(got()[1]).toMatchObject({ since: got()[0]?.since, attempt: 1 });
  });

  it("ends with its channel is announced to nobody", async () => {
    const { opened, got, states } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    await changeAndSend(opened);
    receiver.answer(410);
    await later(17 * SECOND);
    expect(await states()).toEqual(["failed"]);
    expect(got()).toHaveLength(2);
  });

  it("is ended by its 48 hours is announced by another one although other attempts go on without a break", async () => {
    const busy = await openCalendar();
    const { opened, states } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    await changeAndSend(opened);
    const release = held();
    await openChannel(busy, receiver.url("/held"));
    await fanOut(db());
    const sending = loopOf("deliver").drain(PATIENCE_MS);
    await receiver.next(({ json }) => json.channel.callback_url.endsWith("/held"));
    clock.advance(49 * HOUR);
    await loopOf("deliver").drain(0);
    await expect.poll(states).toEqual(["failed"]);
    release(200);
    await sending;
    await work();
    expect(await states()).toEqual(["failed", "delivered"]);
  });

  it("waits long for its retry has it attempted beside the schedule, at most once a minute", async () => {
    const { opened, got, rows } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    for (const wait of [17 * SECOND, 67 * SECOND]) await later(wait);
    expect(got()).toHaveLength(3); // the next of the schedule is after five minutes
    const due = (await rows())[0]?.next_attempt_at;
    for (let i = 0; i < 10; i++) await changeAndSend(opened);
    expect(got()).toHaveLength(3);
    await later(50 * SECOND);
    expect(got()).toHaveLength(4);
    expect(await rows()).toMatchObject([{ state: "pending", attempts: 4, next_attempt_at: due }]);
    receiver.answer(200);
    await change(opened);
    await later(60 * SECOND);
    expect((await rows()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ["delivered", 5],
      ["delivered", 1],
    ]);
  });

  it("waits and that the receiver knows already is announced under an id that it does not know", async () => {
    const { opened, got } = await watched();
    const known = new Set<string>();
    let isLate = true; // it takes what is sent, and its answer is lost
    receiver.answer(({ headers }) => {
      known.add(String(headers["svc-delivery-id"]));
      return isLate ? 500 : 204;
    });
    await changeAndSend(opened);
    await changeAndSend(opened);
    isLate = false;
    const before = new Set(known);
    await later(17 * SECOND);
    expect(got().some(({ id }) => !before.has(id))).toBe(true);
  });
});

describe("with two processes", () => {
  it("an attempt that was taken over and is accepted late is followed by another delivery", async () => {
    const { opened, isOurs, got, states } = await watched();
    const release = held();
    await change(opened);
    const sending = loopOf("deliver").drain(PATIENCE_MS);
    await receiver.next(isOurs);
    await change(opened);
    // Our own process looks once more for something due after each claim: not while the lease ends and another one claims.
    await db().transaction(async (query) => {
      clock.advance(16 * SECOND); // its lease is over
      expect(await claim({ ...db(), query }, { most: 10 })).toMatchObject([{ attempt: 2 }]); // and the other process dies
    }, locks.deliveryClaims);
    release(200);
    await sending;
    await work();
    expect(await states()).toEqual(["delivered", "delivered"]);
    expect(got()).toHaveLength(2);
  });

  it("changes that both fan out at once make one delivery", async () => {
    const { opened, states } = await watched();
    receiver.answer(500);
    await changeAndSend(opened);
    await theyWrite(opened, `event ${written++}`);
    clock.advance(1.1 * SECOND);
    await Promise.all(Array.from({ length: 4 }, () => fanOut(db())));
    expect(await states()).toEqual(["pending"]);
    receiver.answer(200);
    clock.advance(17 * SECOND);
    await Promise.all(Array.from({ length: 3 }, () => work()));
    await work();
    expect(await states()).toEqual(["delivered", "delivered"]);
  });
});

it("a hundred channels of a receiver that is away have a hundred deliveries, however much changes", async () => {
  const opened = await openCalendar();
  for (let i = 0; i < 100; i++) await openChannel(opened, receiver.url("/away"));
  await work();
  receiver.answer(503);
  for (let i = 0; i < 5; i++) await changeAndSend(opened);
  expect(await storedDeliveries({ accountId: opened.accountId, type: "change" })).toHaveLength(100);
});

it("verifications and profile notifications never wait", async () => {
  const { opened, channelId } = await watched();
  receiver.answer(500);
  await changeAndSend(opened);
  await addSignal(opened.accountId, { kind: "profile_disconnected", subject: "pro_1" });
  clock.advance(SECOND);
  await setSignalsDue();
  await work();
  const types = (await deliveriesOf(channelId)).map(({ type }) => type);
  expect(types).toContain("profile_disconnected");
});
