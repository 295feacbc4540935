import { newId, newSigningSecret } from "@/server/db/new-id";
import { seal } from "@/server/db/sealed";
import { type CastEndpoint, castEndpoints } from "@/server/demo/cast/endpoints";
import type { FilledAccount } from "@/server/demo/month/accounts";
import { inPieces, type Month } from "@/server/demo/month/month";
import { HOUR_MS, MINUTE_MS } from "@/server/demo/month/time";

export interface FilledChannel {
  id: string;
  account: FilledAccount;
  endpoint: CastEndpoint;
  createdAt: Date;
  closedAt: Date | null;
}

/**
 * Stores the channel of each account's application. Channels opened through the API would need a public receiver, and
 * notifications would be sent to it.
 */
export async function fillChannels(
  { db: { prisma }, now, random }: Month,
  accounts: readonly FilledAccount[],
): Promise<FilledChannel[]> {
  const places = new Map<string, number>();
  const channels = accounts.flatMap((account): FilledChannel[] => {
    const place = places.get(account.application) ?? 0;
    places.set(account.application, place + 1);
    const endpoint = castEndpoints.find((one) => one.application === account.application && one.isOf(place));
    if (!endpoint) return [];
    const createdAt = new Date(
      Math.min(now - 3 * MINUTE_MS, account.createdAt.getTime() + random.between(1, 40) * 1_000),
    );
    const { goneHoursAgo } = endpoint;
    const closedAt =
      goneHoursAgo === undefined ? null : new Date(now - goneHoursAgo * HOUR_MS + random.between(1, 90) * MINUTE_MS);
    return [{ id: newId("chn"), account, endpoint, createdAt, closedAt }];
  });
  await inPieces(channels.map(channelRow), (data) => prisma.channel.createMany({ data }));
  return channels;
}

function channelRow({ id, account, endpoint, createdAt, closedAt }: FilledChannel) {
  const sealedSecret = seal(newSigningSecret(), { table: "channels", column: "sealed_secret", row: id });
  const closedBy = closedAt === null ? null : "gone";
  return { id, accountId: account.id, callbackUrl: endpoint.url, sealedSecret, createdAt, closedAt, closedBy };
}
