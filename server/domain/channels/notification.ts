import type { NotificationType } from "@/server/domain/channels/notification-types";
import { formatInstant, type Instant } from "@/server/domain/time/instant";

export interface ChannelFilters {
  /** Null: every calendar. */
  calendarIds: readonly string[] | null;
  /** Null: not set. */
  onlyManaged: boolean | null;
}

export interface NotifiedChannel extends ChannelFilters {
  id: string;
  callbackUrl: string;
}

/** Formats filters for responses and notifications: only those that are set ("Channel"). */
export function shownFilters({ calendarIds, onlyManaged }: ChannelFilters) {
  return {
    ...(calendarIds !== null && { calendar_ids: calendarIds }),
    ...(onlyManaged !== null && { only_managed: onlyManaged }),
  };
}

/**
 * Serializes a notification to the bytes that every attempt sends: compact JSON ("Notification"; ADR 90).
 * `changesSince`, set for changes only, is cut to the second so that a read with it as last_modified misses nothing.
 */
export function notificationBody(
  type: NotificationType,
  channel: NotifiedChannel,
  changesSince: Instant | null,
  more: object = {},
): string {
  const since = changesSince === null ? {} : { changes_since: formatInstant(changesSince) };
  return JSON.stringify({
    notification: { type, ...since, ...more },
    channel: { channel_id: channel.id, callback_url: channel.callbackUrl, filters: shownFilters(channel) },
  });
}

/** What a trigger's notification says. */
export interface TriggerNotification {
  triggerId: string;
  eventUid: string;
  isLate: boolean;
}

/** Serializes the notification of a trigger, which has no channel that applications see. */
export function triggerNotificationBody({ triggerId, eventUid, isLate }: TriggerNotification): string {
  return JSON.stringify({
    notification: { type: "trigger", trigger_id: triggerId, event_uid: eventUid, ...(isLate && { late: true }) },
  });
}

/** The author of a calendar's change: the application through the API, or anyone else. */
export type ChangedBy = "application" | "others";

/** Reports whether the application is notified: of everything but its own writes. */
export function isNotified(by: ChangedBy): boolean {
  return by !== "application";
}

/** A change, as far as filters care. */
export interface Change {
  calendarId: string;
  managed: boolean;
  at: Instant;
}

/** Finds when the earliest change that passes a channel's filters happened, or null if none passes ("Events", 6). */
export function earliestNotified(
  changes: readonly Change[],
  { calendarIds, onlyManaged }: ChannelFilters,
): Instant | null {
  const times = changes
    .filter(({ calendarId, managed }) => (calendarIds?.includes(calendarId) ?? true) && (managed || !onlyManaged))
    .map(({ at }) => at);
  return times.length === 0 ? null : (Math.min(...times) as Instant);
}
