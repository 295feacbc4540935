import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { hostOf } from "@/server/domain/channels/endpoint";
import { notificationBody } from "@/server/domain/channels/notification";
import type { Instant } from "@/server/domain/time/instant";
import { insertTestDelivery, lockTestedChannel } from "@/server/store/channels/test-delivery.sql";

interface Tested {
  /** Of the channel. */
  id: string;
  /** Whose it must be. Null: staff may try anybody's. */
  accountId: string | null;
}

export interface TestDelivery {
  deliveryId: string;
  accountId: string;
}

/**
 * Stores a `change` that no change caused, marked as a test: it is sent at once whatever else is pending, and takes no part in what
 * the channel was notified of. The channel is held, so that none is made for one that is being closed. Call `wake("deliver")` after
 * the commit. Null: there is no such open channel.
 */
export async function addTestDelivery(query: Query, { id, accountId }: Tested): Promise<TestDelivery | null> {
  const [channel] = await run(query, lockTestedChannel, [id, accountId, databaseTime()]);
  if (!channel) return null;
  const deliveryId = newId("whd");
  const body = notificationBody("change", channel, channel.now.getTime() as Instant);
  const owner = [channel.id, channel.accountId, channel.applicationId];
  await run(query, insertTestDelivery, [deliveryId, ...owner, body, hostOf(channel.callbackUrl), channel.now]);
  return { deliveryId, accountId: channel.accountId };
}
