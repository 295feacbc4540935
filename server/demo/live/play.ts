import { setTimeout as sleep } from "node:timers/promises";
import type { RegisteredApplication } from "@/server/demo/applications";
import type { Installation } from "@/server/demo/installation";
import { type Api, api as apiAt } from "@/server/demo/live/api";
import { type Notification, type Receivers, startReceivers } from "@/server/demo/live/receivers";
import { makeMistakes, openChannel, openRooms, playOthers, type Room, ZONE } from "@/server/demo/live/rooms";
import type { Random } from "@/server/demo/random";
import { staff } from "@/server/demo/staff-context";
import { DEMO_RECEIVER } from "@/server/front-door/local-receivers";

const LOOPBACK_ORIGIN = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):\d+$/;
/** Longer than a hanging receiver is waited for plus the first two waits of a delivery. */
const SEEN_WITHIN_MS = 40_000;
const LOOKED_EVERY_MS = 250;

export interface PlayResult {
  rooms: number;
  /** Why no webhook was received. Null: some were. */
  missing: string | null;
}

/**
 * Plays the application of the rooms through the public API: calendars, bookings, guests, mistakes, and changes by
 * other people whose webhooks go to receivers on this machine. One of those accepts them, one fails, one hangs and one
 * is gone.
 */
export async function playRooms(
  installation: Installation,
  application: RegisteredApplication,
  { now, random }: { now: number; random: Random },
): Promise<PlayResult> {
  const { env } = installation;
  const api = apiAt(env.BASE_URL);
  const rooms = await openRooms(api, application, { now, random });
  const missing = await receiveWebhooks(installation, { api, rooms, now });
  const [first] = rooms;
  if (first) await makeMistakes(api, first);
  return { rooms: rooms.length, missing };
}

interface PlayInput {
  api: Api;
  rooms: readonly Room[];
  now: number;
}

async function receiveWebhooks(installation: Installation, playing: PlayInput): Promise<string | null> {
  const { CALLBACK_ALLOWED_ORIGINS: allowed } = installation.env;
  const origin = allowed.find((one) => LOOPBACK_ORIGIN.test(one)) ?? DEMO_RECEIVER;
  const channels = new Map<string, Room>();
  const reading: Promise<unknown>[] = [];
  const receivers = await startReceivers(origin, (notification) => {
    reading.push(readChanges(playing.api, channels.get(notification.channelId), notification));
  });
  if (!receivers) return `Another program listens at ${origin}, so no receiver could be started there.`;
  try {
    if (!(await openChannels(playing, receivers, channels))) {
      return `Almanac does not allow receivers at ${origin}. To see live ones, start it with CALLBACK_ALLOWED_ORIGINS=${origin}.`;
    }
    await untilSettled(installation, channels);
    await Promise.all(reading);
    await pauseHanging(installation, channels, playing.now);
    return null;
  } finally {
    await receivers.close();
  }
}

async function openChannels(
  { api, rooms, now }: PlayInput,
  receivers: Receivers,
  channels: Map<string, Room>,
): Promise<boolean> {
  for (const room of rooms) {
    const id = await openChannel(api, room, receivers.urlOf(room.receiver));
    if (id === null) return false;
    channels.set(id, room);
    await playOthers(api, room, now);
  }
  return true;
}

/** Reads the changes that a webhook announces, as an application would. */
async function readChanges(api: Api, room: Room | undefined, { type, changesSince }: Notification): Promise<void> {
  if (!room || type !== "change" || changesSince === null) return;
  const query = new URLSearchParams({ tzid: ZONE, last_modified: changesSince, include_deleted: "true" });
  await api.call("GET", `/v1/events?${query}`, { token: room.token });
}

/**
 * Waits until each receiver has shown its behaviour: deliveries that arrived, a failing channel, a closed one, and an
 * attempt that timed out.
 */
async function untilSettled({ db: { prisma } }: Installation, channels: ReadonlyMap<string, Room>): Promise<void> {
  const idsOf = (receiver: string) => [...channels].flatMap(([id, room]) => (room.receiver === receiver ? [id] : []));
  const waiting = [
    () => prisma.channel.count({ where: { id: { in: idsOf("signage") }, failing: true } }),
    () => prisma.channel.count({ where: { id: { in: idsOf("retired") }, closedAt: { not: null } } }),
    () => prisma.channel.count({ where: { id: { in: idsOf("lobby") }, failures: { gt: 0 } } }),
    async () =>
      Number(
        (await prisma.delivery.count({ where: { channelId: { in: idsOf("displays") }, state: "pending" } })) === 0,
      ),
  ];
  for (let waited = 0; waited < SEEN_WITHIN_MS; waited += LOOKED_EVERY_MS) {
    const seen = await Promise.all(waiting.map((look) => look()));
    if (seen.every((count) => count > 0)) return;
    await sleep(LOOKED_EVERY_MS);
  }
}

/** Pauses the deliveries to the receiver that hangs, as staff would. */
async function pauseHanging(
  installation: Installation,
  channels: ReadonlyMap<string, Room>,
  now: number,
): Promise<void> {
  for (const [id, { receiver }] of channels)
    if (receiver === "lobby") await staff(installation, now).channels.pause({ id });
}
