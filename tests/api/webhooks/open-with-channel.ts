import { type FakeClock, fakeClock } from "../../fakes/clock";
import type { ownReceiver } from "../own-receiver";
import { type Opened, openCalendar } from "../service";
import { openChannel, work } from "./world";

export interface OpenedWithChannel {
  clock: FakeClock;
  opened: Opened;
  channelId: string;
}

/** An application calendar with a channel that the receiver has verified, by a clock that stands still. */
export async function openWithChannel(receiver: ReturnType<typeof ownReceiver>): Promise<OpenedWithChannel> {
  const clock = fakeClock();
  receiver.answer(200);
  const opened = await openCalendar();
  const channelId = (await openChannel(opened, receiver.url())).channel_id;
  await work();
  return { clock, opened, channelId };
}
