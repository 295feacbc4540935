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

/** Filters as answers and notifications show them: those that are set ("Channel"). */
export function shownFilters({ calendarIds, onlyManaged }: ChannelFilters) {
  return {
    ...(calendarIds !== null && { calendar_ids: calendarIds }),
    ...(onlyManaged !== null && { only_managed: onlyManaged }),
  };
}

/**
 * The bytes that every attempt of a notification sends: compact JSON ("Notification"; ADR 90).
 * `changesSince`, of a change only, is cut to the second so that a read with it as last_modified misses nothing.
 */
export function notificationBody(
  type: NotificationType,
  channel: NotifiedChannel,
  changesSince: Instant | null,
): string {
  const since = changesSince === null ? {} : { changes_since: formatInstant(changesSince) };
  return JSON.stringify({
    notification: { type, ...since },
    channel: { channel_id: channel.id, callback_url: channel.callbackUrl, filters: shownFilters(channel) },
  });
}

/** Who changed a calendar: the application through the API, or anybody else. */
export type ChangedBy = "application" | "others";

/** An application is not notified of its own writes. */
export function isNotified(by: ChangedBy): boolean {
  return by !== "application";
}

/** What a change is, as far as filters care. */
export interface Change {
  calendarId: string;
  managed: boolean;
  at: Instant;
}

/** When the earliest of the changes was that a channel's filters let through; null: none of them ("Events", 6). */
export function earliestNotified(
  changes: readonly Change[],
  { calendarIds, onlyManaged }: ChannelFilters,
): Instant | null {
  const times = changes
    .filter(({ calendarId, managed }) => (calendarIds?.includes(calendarId) ?? true) && (managed || !onlyManaged))
    .map(({ at }) => at);
  return times.length === 0 ? null : (Math.min(...times) as Instant);
}
