import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import type { Work } from "@/server/db/wake";
import { sweep } from "@/server/jobs/sweep";
import { loopOf } from "@/server/jobs/work-kinds";
import { fanOut } from "@/server/webhooks/fan-out";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { deliveriesOf, openChannel, PATIENCE_MS, theyWrite, work } from "./world";

const SECOND = 1_000;
const CHANNELS = 20;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;
let woken: { work: Work; afterMs: number }[];

beforeEach(() => {
  clock = fakeClock();
  receiver.answer(200);
  woken = [];
  context.wake = (work, afterMs) => woken.push({ work, afterMs });
});
afterEach(() => {
  context.wake = undefined;
});

/** Some channels of an account; what came to them is told apart by its path. */
async function channelsOf(opened: Opened) {
  const url = receiver.url(`/${randomBytes(6).toString("hex")}`);
  const ids: string[] = [];
  for (let i = 0; i < CHANNELS; i++) ids.push((await openChannel(opened, url)).channel_id);
  const got = (type: string) =>
    receiver.got
      .filter(({ json }) => json.channel.callback_url === url && json.notification.type === type)
      .map(({ json }) => json.channel.channel_id as string);
  return { ids, got };
}

/** A sweep, and the work that it wakes. */
async function swept() {
  const { wake } = context;
  const due: Work[] = [];
  context.wake = (work) => due.push(work);
  const found = await sweep();
  context.wake = wake;
  for (const work of due) await loopOf(work).drain(PATIENCE_MS);
  return found;
}

const sorted = (ids: readonly string[]) => [...ids].sort();

describe("a wake-up that is", () => {
  it("lost delays a notification to the next sweep, and there is one POST of it", async () => {
    context.wake = () => undefined;
    const opened = await openCalendar();
    const { ids, got } = await channelsOf(opened);
    expect(await swept()).toEqual({
      notify: false,
      deliver: false,
      sync: false,
      push: false,
      replay: false,
      authorize: false,
    });
    clock.advance(2 * SECOND + 1);
    expect(await swept()).toMatchObject({ notify: true });
    expect(sorted(got("verification"))).toEqual(sorted(ids));
    await theyWrite(opened, "one");
    clock.advance(3 * SECOND + 1);
    await swept();
    await swept();
    expect(sorted(got("change"))).toEqual(sorted(ids));
  });

  it("lost between signal and delivery delays the delivery to the next sweep, and there is one POST of it", async () => {
    const { ids, got } = await channelsOf(await openCalendar());
    await fanOut(db());
    clock.advance(2 * SECOND + 1);
    expect(await swept()).toEqual({
      notify: false,
      deliver: true,
      sync: false,
      push: false,
      replay: false,
      authorize: false,
    });
    expect(sorted(got("verification"))).toEqual(sorted(ids));
    expect(await swept()).toEqual({
      notify: false,
      deliver: false,
      sync: false,
      push: false,
      replay: false,
      authorize: false,
    });
    expect(got("verification")).toHaveLength(CHANNELS);
  });

  it("late finds nothing to do, when a sweep came before it", async () => {
    const opened = await openCalendar();
    const { ids, got } = await channelsOf(opened);
    await theyWrite(opened, "one");
    expect(woken).toEqual([
      ...Array.from({ length: CHANNELS }, () => ({ work: "notify", afterMs: 0 })),
      { work: "notify", afterMs: SECOND },
    ]);
    clock.advance(4 * SECOND);
    await swept();
    for (const _ of woken) await work();
    clock.advance(60 * SECOND);
    await work();
    expect(sorted(got("verification"))).toEqual(sorted(ids));
    expect(sorted(got("change"))).toEqual(sorted(ids));
  });

  it("doubled five times, all at once, makes one POST", async () => {
    const opened = await openCalendar();
    const { ids, got } = await channelsOf(opened);
    await fiveTimes(work);
    expect(sorted(got("verification"))).toEqual(sorted(ids));
    await theyWrite(opened, "one");
    await theyWrite(opened, "two");
    clock.advance(SECOND);
    await fiveTimes(work);
    await fiveTimes(sweep);
    expect(sorted(got("change"))).toEqual(sorted(ids));
  });

  it("doubled while an attempt is under way does not begin another", async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.answer(async () => {
      await held;
      return 200;
    });
    const opened = await openCalendar();
    const { channel_id } = await openChannel(opened, receiver.url("/held"));
    await fanOut(db());
    const first = loopOf("deliver").drain(PATIENCE_MS);
    const isHere = ({ json }: { json: { channel: { channel_id: string } } }) => json.channel.channel_id === channel_id;
    await receiver.next(isHere);
    const others = fiveTimes(() => loopOf("deliver").drain(PATIENCE_MS));
    answer();
    await Promise.all([first, others]);
    expect(receiver.got.filter(isHere)).toHaveLength(1);
    expect(await deliveriesOf(channel_id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });
});

async function fiveTimes(wake: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: 5 }, wake));
}
