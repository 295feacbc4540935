import { ensureDay } from "@/server/db/partitions";
import type { FilledChannel } from "@/server/demo/month/channels";
import type { PastAttempt, PastDelivery } from "@/server/demo/month/deliveries";
import { inPieces, type Month } from "@/server/demo/month/month";
import { MINUTE_MS, MONTH_DAYS } from "@/server/demo/month/time";
import { FAILING_AFTER, hostOf } from "@/server/domain/channels/endpoint";
import { notificationBody } from "@/server/domain/channels/notification";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { partitioned } from "@/server/webhooks/retention";

/**
 * Stores deliveries with their attempts in the partitions of their days, the changes that caused them, and the health
 * of the channels.
 */
export async function storeDeliveries(month: Month, deliveries: readonly PastDelivery[]): Promise<void> {
  const { db, now } = month;
  const today = dayOf(now as Instant);
  for (let ago = MONTH_DAYS + 1; ago >= 0; ago--)
    for (const one of partitioned) await ensureDay(db, one, (today - ago) as Day);
  await inPieces(deliveries.map(deliveryRow), (data) => db.prisma.delivery.createMany({ data }));
  await inPieces(deliveries.flatMap(attemptRows), (data) => db.prisma.attempt.createMany({ data }));
  await inPieces(changeRows(deliveries), (data) => db.prisma.seenChange.createMany({ data, skipDuplicates: true }));
  for (const channel of new Set(deliveries.map((one) => one.channel))) await storeHealth(month, channel, deliveries);
}

function deliveryRow({
  channel,
  attempts,
  createdAt,
  changedAt,
  finishedAt,
  nextAttemptAt,
  ...delivery
}: PastDelivery) {
  const { id, type, state } = delivery;
  const { account, endpoint } = channel;
  const notified = { id: channel.id, callbackUrl: endpoint.url, calendarIds: null, onlyManaged: null };
  const last = attempts.at(-1);
  return {
    ...{ id, type, state, channelId: channel.id, accountId: account.id, applicationId: account.applicationId },
    body: notificationBody(type, notified, changedAt as Instant | null),
    host: hostOf(endpoint.url),
    ...{ attempts: attempts.length, lastStatus: last?.status ?? null, lastError: last?.error ?? null },
    ...{ createdAt: new Date(createdAt), changesSince: dateOf(changedAt), finishedAt: dateOf(finishedAt) },
    // As the outcome of an attempt leaves it: a search for due deliveries finds it then.
    ...{ nextAttemptAt: dateOf(nextAttemptAt), waits: nextAttemptAt !== null },
  };
}

function attemptRows({ id, channel, attempts }: PastDelivery) {
  return attempts.map(({ startedAt, status, error, durationMs, address, headers, body }, index) => ({
    ...{
      deliveryId: id,
      channelId: channel.id,
      number: index + 1,
      startedAt: new Date(startedAt),
      durationMs,
      address,
    },
    ...{ status, errorClass: error, responseBody: body, ...(headers && { responseHeaders: headers }) },
  }));
}

/** Groups changes by the minute, one row for each. */
function changeRows(deliveries: readonly PastDelivery[]) {
  return deliveries.flatMap(({ channel, calendarId, changedAt }) => {
    if (changedAt === null || calendarId === null) return [];
    const at = new Date(changedAt);
    const minute = new Date(Math.floor(changedAt / MINUTE_MS) * MINUTE_MS);
    return [{ accountId: channel.account.id, minute, calendarId, managed: false, firstAt: at, lastAt: at }];
  });
}

/** Stores the health that the outcomes of all its attempts leave in a channel's row (ADR 70). */
async function storeHealth({ db }: Month, { id }: FilledChannel, deliveries: readonly PastDelivery[]): Promise<void> {
  const attempts = deliveries.filter(({ channel }) => channel.id === id).flatMap((one) => one.attempts);
  attempts.sort((one, other) => one.startedAt - other.startedAt);
  const failed = attempts.filter(isFailed);
  const last = failed.at(-1);
  if (!last) return;
  const inRow = attempts.slice(attempts.findLastIndex((one) => !isFailed(one)) + 1);
  await db.prisma.channel.update({
    select: { id: true },
    where: { id },
    data: {
      ...{
        failures: inRow.length,
        failing: inRow.length >= FAILING_AFTER,
        failingSince: dateOf(inRow[0]?.startedAt ?? null),
      },
      ...{ failedAt: new Date(last.startedAt), failedStatus: last.status, failedError: last.error },
    },
  });
}

function isFailed({ status }: PastAttempt): boolean {
  return status === null || status >= 300;
}

function dateOf(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
