import { db } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { newId } from "@/server/db/new-id";

type ChannelRow = Prisma.ChannelCreateManyInput;
type DeliveryRow = Prisma.DeliveryCreateManyInput;
type Changes = Prisma.DeliveryUncheckedUpdateManyInput;

/** Opens channels of an account without a verification. Gives their ids. */
export async function addChannels(accountId: string, channels: readonly Partial<ChannelRow>[] = [{}]) {
  const data = channels.map((channel) => ({
    ...{ id: newId("chn"), accountId, callbackUrl: "https://hooks.acme.io/cb", sealedSecret: "sealed" },
    ...channel,
  }));
  await db().prisma.channel.createMany({ data });
  return data.map(({ id }) => id);
}

export async function storedChannel(id: string) {
  return await db().prisma.channel.findUniqueOrThrow({ where: { id } });
}

/** As a receiver that answers 410 leaves its channel. */
export async function closeChannelAsGone(id: string, closedAt = new Date()): Promise<void> {
  await changeChannel(id, { closedAt, closedBy: "gone" });
}

/** One that POST /v1/channels would refuse. */
export async function setCallbackUrl(id: string, callbackUrl: string): Promise<void> {
  await changeChannel(id, { callbackUrl });
}

export async function changeChannel(id: string, changes: Prisma.ChannelUncheckedUpdateManyInput): Promise<void> {
  await db().prisma.channel.updateMany({ where: { id }, data: changes });
}

/** Deliveries of a channel that no signal caused. Gives their ids. */
export async function addDeliveries(channelId: string, deliveries: readonly Partial<DeliveryRow>[] = [{}]) {
  const { accountId, account } = await db().prisma.channel.findUniqueOrThrow({
    where: { id: channelId },
    include: { account: true },
  });
  const data = deliveries.map((delivery) => ({
    ...{ id: newId("whd"), channelId, accountId, applicationId: account.applicationId },
    ...{ type: "change", body: "{}", host: "hooks.acme.io", ...delivery },
  }));
  await db().prisma.delivery.createMany({ data });
  return data.map(({ id }) => id);
}

/** Failed deliveries like the channel's own one, each a second older than the one before. */
export async function addFailedDeliveries(channelId: string, count: number): Promise<void> {
  await db().query(
    `INSERT INTO deliveries (id, channel_id, account_id, application_id, type, body, host, state, attempts, last_status, created_at, finished_at)
SELECT 'whd_' || md5($1 || i), channel_id, account_id, application_id, type, body, host, 'failed', 10, 503, created_at - i * interval '1 second',
  created_at FROM deliveries, generate_series(1, $2::int) i WHERE channel_id = $1`,
    [channelId, count],
  );
}

export async function storedDelivery(id: string) {
  return await db().prisma.delivery.findFirstOrThrow({ where: { id } });
}

export async function storedDeliveries(of: Prisma.DeliveryWhereInput) {
  return await db().prisma.delivery.findMany({ where: of, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
}

export async function changeDelivery(id: string, changes: Changes): Promise<void> {
  await changeDeliveries({ id }, changes);
}

export async function changeDeliveries(of: Prisma.DeliveryWhereInput, changes: Changes): Promise<void> {
  await db().prisma.delivery.updateMany({ where: of, data: changes });
}

/** As the last attempt of the schedule leaves it. */
export async function failDelivery(id: string, more: Changes = {}): Promise<void> {
  await changeDelivery(id, { state: "failed", nextAttemptAt: null, ...more });
}

/** As a process leaves it that attempts it and keeps its claim until then. */
export async function leaseDelivery(id: string, leasedUntil: Date, more: Changes = {}): Promise<void> {
  await changeDelivery(id, { lease: "mine", leasedUntil, ...more });
}

export async function dropDeliveries(of: Prisma.DeliveryWhereInput = {}): Promise<void> {
  await db().prisma.delivery.deleteMany({ where: of });
}

export async function addAttempt(deliveryId: string, number: number, startedAt: Date): Promise<void> {
  const { channelId } = await storedDelivery(deliveryId);
  await db().prisma.attempt.create({ data: { deliveryId, channelId, number, startedAt } });
}

/** The first attempts of a delivery, in their order. Its channel has the last one that failed, as their outcomes leave it. */
export async function addAttempts(
  deliveryId: string,
  attempts: readonly Omit<Prisma.AttemptCreateManyInput, "deliveryId" | "number">[],
): Promise<void> {
  const { channelId } = await storedDelivery(deliveryId);
  const data = attempts.map((attempt, index) => ({ ...attempt, deliveryId, channelId, number: index + 1 }));
  await db().prisma.attempt.createMany({ data });
  const isFailed = ({ status }: { status?: number | null }) => !status || status < 200 || status > 299;
  const failed = data.filter(isFailed).sort((a, b) => Number(a.startedAt) - Number(b.startedAt));
  const last = failed.at(-1);
  const { failedAt } = await storedChannel(channelId);
  if (!last || (failedAt && failedAt > last.startedAt)) return;
  const { startedAt, status = null, errorClass = null } = last;
  await changeChannel(channelId, { failedAt: startedAt, failedStatus: status, failedError: errorClass });
}

/** As an older release stored what the receiver answered. */
export async function setResponseHeaders(deliveryId: string, headers: Record<string, string>): Promise<void> {
  await db().prisma.attempt.updateMany({ where: { deliveryId }, data: { responseHeaders: headers } });
}

/** They were made so much earlier. */
export async function backdateDeliveries(of: Prisma.DeliveryWhereInput, byMs: number): Promise<void> {
  for (const { id, createdAt } of await storedDeliveries(of))
    await changeDelivery(id, { createdAt: new Date(createdAt.getTime() - byMs) });
}
