import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { hostOf } from "@/server/domain/channels/endpoint";
import { notificationBody } from "@/server/domain/channels/notification";
import type { Instant } from "@/server/domain/time/instant";
import { insertTestDelivery, testedChannel } from "@/server/store/channels/test-delivery.sql";

interface TestDeliveryInput {
  /** The channel's id. */
  id: string;
  /** The account that it must belong to. Null: staff may test any channel. */
  accountId: string | null;
}

export interface TestDelivery {
  deliveryId: string;
  accountId: string;
}

/**
 * Stores a test `change`, which no change caused: it is sent at once whatever else is pending, and does not affect what
 * the channel was notified of. Call `wake("deliver")` after the commit. Returns null when there is no such open
 * channel.
 */
export async function addTestDelivery(
  query: Query,
  { id, accountId }: TestDeliveryInput,
): Promise<TestDelivery | null> {
  const [channel] = await run(query, testedChannel, [id, accountId, databaseTime()]);
  if (!channel) return null;
  const body = notificationBody("change", channel, channel.now.getTime() as Instant);
  const about = [channel.id, channel.applicationId, body, hostOf(channel.callbackUrl), channel.now];
  const [made] = await run(query, insertTestDelivery, [newId("whd"), ...about]);
  return made ? { deliveryId: made.id, accountId: channel.accountId } : null;
}
