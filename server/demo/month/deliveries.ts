import { orderedHex } from "@/server/db/ordered-hex";
import type { Reply } from "@/server/demo/cast/endpoints";
import type { FilledChannel } from "@/server/demo/month/channels";
import type { Month } from "@/server/demo/month/month";
import { busynessAt, DAY_MS, HOUR_MS, MINUTE_MS, MONTH_DAYS } from "@/server/demo/month/time";
import type { NotificationType } from "@/server/domain/channels/notification-types";
import { GIVEN_UP_AFTER_MS, waitAfter } from "@/server/domain/channels/schedule";

/** An attempt in the past, with its response. */
export interface PastAttempt extends Reply {
  startedAt: number;
}

export interface PastDelivery {
  id: string;
  channel: FilledChannel;
  type: NotificationType;
  createdAt: number;
  /** When others changed the calendar; null: the delivery announces no change. */
  changedAt: number | null;
  calendarId: string | null;
  attempts: PastAttempt[];
  state: "pending" | "delivered" | "failed";
  /** Null: it is pending. */
  finishedAt: number | null;
  nextAttemptAt: number | null;
}

/** Changes in all calendars in the busiest hour. */
const BUSIEST_HOUR = 13;
/** How long a change waits for further changes to join it. */
const JOINED_MS = 1_000;

/**
 * Returns the deliveries that the month's changes would have caused, each attempted on the contract's schedule until
 * its receiver accepted it, or until now. While one waits for its next attempt, later changes of its channel wait for
 * its end.
 */
export function pastDeliveries(month: Month, channels: readonly FilledChannel[]): PastDelivery[] {
  const { now, random } = month;
  const busyUntil = new Map<string, number>();
  const deliveries = channels.flatMap((channel) => firstDeliveries(month, channel));
  const add = (channel: FilledChannel, changedAt: number) => {
    if (!isOpen(channel, changedAt) || (busyUntil.get(channel.id) ?? 0) > changedAt) return;
    const noticed = channel.account.profiles.filter((profile) => changesAt(profile, changedAt));
    const [calendar] = noticed.flatMap(({ calendars }) => calendars);
    if (!calendar) return;
    const delivery = deliveryAfter(month, { channel, type: "change", changedAt, calendarId: calendar.id });
    busyUntil.set(channel.id, delivery.finishedAt ?? Number.POSITIVE_INFINITY);
    deliveries.push(delivery);
  };
  for (let hour = now - MONTH_DAYS * DAY_MS; hour < now - JOINED_MS; hour += HOUR_MS) {
    const count = Math.round(BUSIEST_HOUR * busynessAt(hour) * (0.6 + 0.8 * random.next()));
    for (let i = 0; i < count; i++) {
      const changedAt = Math.floor(hour + random.next() * HOUR_MS);
      const channel = channels[random.between(0, channels.length - 1)];
      if (channel && changedAt < now - 5 * JOINED_MS) add(channel, changedAt);
    }
  }
  // Each channel of a broken endpoint gets a change after it broke, so that the failure shows.
  for (const [place, channel] of channels.entries()) {
    const { brokenHoursAgo } = channel.endpoint;
    if (brokenHoursAgo !== undefined) add(channel, now - (brokenHoursAgo - 0.2) * HOUR_MS + place * MINUTE_MS);
  }
  return deliveries.sort((one, other) => one.createdAt - other.createdAt);
}

function isOpen({ createdAt, closedAt }: FilledChannel, at: number): boolean {
  return createdAt.getTime() < at && (closedAt === null || at < closedAt.getTime());
}

/** Returns when a profile's calendars changed. Changes during a disconnection or failing syncs go unnoticed. */
function changesAt({ condition, disconnectedAt }: FilledChannel["account"]["profiles"][number], at: number): boolean {
  return (
    condition === "well" || condition === "throttled" || (disconnectedAt !== null && at < disconnectedAt.getTime())
  );
}

/** Returns the deliveries that announce no change: of a channel that was opened this month, and of profiles. */
function firstDeliveries(month: Month, channel: FilledChannel): PastDelivery[] {
  const of = (type: NotificationType, changedAt: number) =>
    deliveryAfter(month, { channel, type, changedAt, calendarId: null });
  const opened = channel.createdAt.getTime();
  const isOfMonth = month.now - opened < MONTH_DAYS * DAY_MS;
  return [
    ...(isOfMonth ? [of("verification", opened)] : []),
    ...(isOfMonth && opened < month.now - HOUR_MS ? [of("profile_initial_sync_completed", opened + 95_000)] : []),
    ...channel.account.profiles.flatMap(({ disconnectedAt }) =>
      disconnectedAt === null ? [] : [of("profile_disconnected", disconnectedAt.getTime())],
    ),
  ];
}

type DeliveryCause = Pick<PastDelivery, "channel" | "type" | "calendarId"> & { changedAt: number };

function deliveryAfter({ now, random }: Month, { changedAt, ...cause }: DeliveryCause): PastDelivery {
  const createdAt = changedAt + JOINED_MS + random.between(20, 400);
  const delivery: PastDelivery = {
    ...{ ...cause, id: `whd_${orderedHex(createdAt)}`, createdAt, attempts: [], state: "pending" },
    ...{ changedAt: cause.type === "change" ? changedAt : null, finishedAt: null, nextAttemptAt: null },
  };
  for (let startedAt = createdAt + random.between(3, 40); ; ) {
    if (startedAt > now) return { ...delivery, nextAttemptAt: startedAt };
    const reply = cause.channel.endpoint.reply((now - startedAt) / HOUR_MS, random);
    delivery.attempts.push({ ...reply, startedAt });
    const endedAt = startedAt + reply.durationMs;
    if (reply.status === 410) return { ...delivery, state: "failed", finishedAt: endedAt };
    if (reply.status !== null && reply.status < 300) return { ...delivery, state: "delivered", finishedAt: endedAt };
    const wait = waitAfter(delivery.attempts.length, random.next());
    if (wait === null || endedAt + wait > createdAt + GIVEN_UP_AFTER_MS)
      return { ...delivery, state: "failed", finishedAt: endedAt };
    startedAt = endedAt + wait;
  }
}
