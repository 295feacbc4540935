import { beforeEach, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { changeDelivery, storedChannel, storedDeliveries } from "../../fakes/stored-deliveries";
import { ownReceiver } from "../own-receiver";
import { openCalendar } from "../service";
import { openChannel, theyWrite, work } from "./world";

const MINUTE = 60_000;

const receiver = ownReceiver({ LOG_LEVEL: "fatal" });
let clock: FakeClock;

beforeEach(() => {
  clock = fakeClock();
});

it("a channel is failing from its third attempt in a row that fails until one is accepted, of whichever deliveries", async () => {
  const opened = await openCalendar();
  receiver.answer(200);
  const { channel_id: id } = await openChannel(opened, receiver.url(`/${opened.accountId}`));
  await work();
  const stored = async () => {
    const { failures, failing, failingSince } = await storedChannel(id);
    return { failures, failing, since: failingSince?.getTime() ?? null };
  };
  const attempted = async () => {
    await theyWrite(opened, `e${clock.now()}`);
    clock.advance(2_000);
    await work();
  };
  const before = await storedChannel(id);
  expect(await stored()).toEqual({ failures: 0, failing: false, since: null });

  receiver.answer(500);
  await attempted();
  const since = clock.now();
  expect(await stored()).toEqual({ failures: 1, failing: false, since });
  const [, change] = await storedDeliveries({ channelId: id });
  for (const failures of [2, 3, 4]) {
    clock.advance(MINUTE);
    await changeDelivery(change?.id ?? "", { nextAttemptAt: new Date(clock.now()) });
    await work();
    expect(await stored()).toEqual({ failures, failing: failures >= 3, since });
  }

  receiver.answer(204);
  await changeDelivery(change?.id ?? "", { nextAttemptAt: new Date(clock.now()) });
  await work();
  expect(await stored()).toEqual({ failures: 0, failing: false, since: null });
  expect((await storedChannel(id)).unnotifiedSince).toEqual(before.unnotifiedSince);
});

it("a test event says nothing about a channel, whether it fails or arrives", async () => {
  const opened = await openCalendar();
  receiver.answer(200);
  const { channel_id: id } = await openChannel(opened, receiver.url(`/${opened.accountId}`));
  await work();
  const sendTest = async () => {
    const sent = receiver.got.length;
    expect(await opened.post(`/v1/channels/${id}/test`, {})).toMatchObject({ status: 202 });
    clock.advance(2_000);
    await work();
    expect(receiver.got.length).toBe(sent + 1);
  };
  receiver.answer(500);
  for (let n = 0; n < 3; n++) await sendTest();
  expect(await storedChannel(id)).toMatchObject({ failures: 0, failing: false, failedAt: null });

  await theyWrite(opened, `e${clock.now()}`);
  clock.advance(2_000);
  await work();
  const change = (await storedDeliveries({ channelId: id, test: false })).at(-1);
  for (let n = 0; n < 2; n++) {
    await changeDelivery(change?.id ?? "", { nextAttemptAt: new Date(clock.now()) });
    await work();
  }
  const failing = await storedChannel(id);
  expect(failing).toMatchObject({ failures: 3, failing: true });
  receiver.answer(204);
  await sendTest();
  expect(await storedChannel(id)).toEqual(failing);
});
