import type { Query } from "@/server/db/client";
import { seal } from "@/server/db/sealed";
import { run, runOne } from "@/server/db/statement";
import {
  cancelDeliveriesOfChannel,
  countOpenChannelsStatement,
  findChannel,
  insertChannelStatement,
  lockPendingDeliveries,
  markChannelClosed,
} from "@/server/store/channels/channels.sql";

export interface NewChannel {
  id: string;
  accountId: string;
  callbackUrl: string;
  /** Null: every calendar of the account. */
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
  /** The signing secret, which is stored sealed. */
  secret: string;
}

/** Counts an account's open channels. */
export async function countOpenChannels(query: Query, accountId: string): Promise<number> {
  return (await runOne(query, countOpenChannelsStatement, [accountId])).open;
}

/** Stores a new channel, in a transaction that has locked its account. */
export async function insertChannel(query: Query, channel: NewChannel): Promise<void> {
  const { id, accountId, callbackUrl, calendarIds, onlyManaged, secret } = channel;
  const sealed = seal(secret, { table: "channels", column: "sealed_secret", row: id });
  const filters = [calendarIds ?? [], calendarIds === null, onlyManaged];
  await run(query, insertChannelStatement, [id, accountId, callbackUrl, ...filters, sealed]);
}

/** `unknown`: the account has no such channel. */
export type ClosedChannel = "closed" | "was closed" | "unknown";

/**
 * Closes a channel and cancels its pending deliveries, in a transaction that has locked its account. A closed one stays unchanged.
 */
export async function closeChannel(
  query: Query,
  { accountId, id, by = "delete" }: { accountId: string; id: string; by?: "delete" | "staff" },
): Promise<ClosedChannel> {
  const channels = await run(query, findChannel, [id, accountId]);
  if (channels.length === 0) return "unknown";
  // Deliveries before channels, as the outcome of an attempt locks them: the other order would deadlock with it.
  await run(query, lockPendingDeliveries, [id]);
  const closed = await run(query, markChannelClosed, [id, by]);
  // Includes deliveries that were written since they were locked.
  await run(query, cancelDeliveriesOfChannel, [id]);
  return closed.length > 0 ? "closed" : "was closed";
}
