import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FakeClock, fakeClock } from "../../fakes/clock";
import { type Receiver, startReceiver } from "../../fakes/receiver";
import { ownDatabase } from "../own-database";
import { openCalendar } from "../service";
import { openChannel, theyWrite } from "../webhooks/world";
import { wokenLoops } from "./woken-loops";

const SECOND = 1_000;
const waits = [15, 60, 300, 900, 3_600, 7_200, 14_400, 21_600, 36_000].map((seconds) => seconds * SECOND);

let receiver: Receiver;
let clock: FakeClock;
/** Everything that was woken for, and what that wakes for in turn. */
let settle: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
});
ownDatabase(() => ({ CALLBACK_ALLOWED_ORIGINS: receiver.origin, LOG_LEVEL: "fatal" }));
afterAll(() => receiver.close());

beforeEach(() => {
  clock = fakeClock(clock?.now());
  settle = wokenLoops();
  receiver.answer(200);
});

const to = (channelId: string) => receiver.got.filter(({ json }) => json.channel.channel_id === channelId);

it("a channel's opening wakes who sends its verification, at once", async () => {
  const { channel_id } = await openChannel(await openCalendar(), receiver.url());
  await settle();
  expect(to(channel_id)).toHaveLength(1);
});

it("a change wakes who notifies, when its second is over", async () => {
  const opened = await openCalendar();
  const { channel_id } = await openChannel(opened, receiver.url());
  await settle();
  await theyWrite(opened, "one");
  await theyWrite(opened, "two");
  await settle();
  expect(to(channel_id)).toHaveLength(1);
  clock.advance(1.1 * SECOND);
  await settle();
  expect(to(channel_id).map(({ json }) => json.notification.type)).toEqual(["verification", "change"]);
});

it("all nine waits are woken for by the loops themselves", async () => {
  receiver.answer(500);
  const { channel_id } = await openChannel(await openCalendar(), receiver.url());
  await settle();
  for (const [i, wait] of waits.entries()) {
    expect(to(channel_id)).toHaveLength(i + 1);
    clock.advance(wait - 1);
    await settle();
    expect(to(channel_id)).toHaveLength(i + 1);
    clock.advance(wait * 0.1 + 2);
    await settle();
  }
  expect(to(channel_id)).toHaveLength(10);
});
