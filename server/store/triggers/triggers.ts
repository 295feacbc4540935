import { clock } from "@/server/clock";
import type { Connection } from "@/server/db/client";
import { closeChannel, insertChannel } from "@/server/store/channels/channels";
import { putSignal } from "@/server/store/channels/outbox";

export interface NewTrigger {
  id: string;
  channelId: string;
  accountId: string;
  callbackUrl: string;
  anchor: string;
  /** After the anchor; before it, they are negative. */
  minutes: number;
  /** Null: every calendar of the account. */
  calendarIds: string[] | null;
  onlyManaged: boolean;
  minGuests: number;
  /** The signing secret, which is stored sealed. */
  secret: string;
}

export async function countTriggers({ prisma }: Pick<Connection, "prisma">, accountId: string): Promise<number> {
  return await prisma.trigger.count({ where: { accountId, channel: { closedAt: null } } });
}

/** Stores a trigger with the channel that it sends through, and the signal for its first look. Call `wake("notify")` after the commit. */
export async function insertTrigger({ query, prisma }: Connection, trigger: NewTrigger): Promise<void> {
  const { channelId, callbackUrl, secret, calendarIds, ...row } = trigger;
  const { id, accountId } = row;
  // Its filter lets no calendar through, so that no change is announced there.
  await insertChannel(query, { id: channelId, accountId, callbackUrl, calendarIds: [], onlyManaged: null, secret });
  await prisma.channel.update({ where: { id: channelId }, data: { ofTrigger: true } });
  const firedUntil = new Date(clock().now());
  const calendars = { calendarIds: calendarIds ?? [], allCalendars: calendarIds === null };
  await prisma.trigger.create({ data: { ...row, channelId, ...calendars, firedUntil, createdAt: firedUntil } });
  await putSignal(query, { kind: "trigger", accountId, subject: id, payload: {} });
}

/** Deletes a trigger and closes its channel, in a transaction that has locked its account. Returns false if there is none. */
export async function dropTrigger(
  { query, prisma }: Connection,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  const trigger = await prisma.trigger.findFirst({ where: { id, accountId }, select: { channelId: true } });
  if (!trigger) return false;
  await closeChannel(query, { accountId, id: trigger.channelId });
  await prisma.trigger.deleteMany({ where: { id } });
  await prisma.outbox.deleteMany({ where: { accountId, kind: "trigger", subject: id } });
  return true;
}
