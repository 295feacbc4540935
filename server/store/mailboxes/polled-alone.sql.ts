import { providers, providerTraits } from "@/server/domain/providers";

const unlisted = providers.filter((provider) => !providerTraits[provider].watchesList);

/**
 * Returns SQL for whether a watch allows longer intervals between the polls of its profile: the watch of the list of
 * calendars, or of any calendar where the list has none.
 */
export const spacesPolls = (watch: string) =>
  `(${watch}.calendar_id IS NULL OR EXISTS (SELECT FROM profiles wp WHERE wp.id = ${watch}.profile_id
    AND wp.provider IN (${unlisted.map((provider) => `'${provider}'`).join(", ")})))`;

const isWatched = (calendar: string, now: string, which: string) =>
  `EXISTS (SELECT FROM provider_watches pw WHERE pw.profile_id = ${calendar}.profile_id AND pw.resource IS NOT NULL
    AND pw.renew_at > ${now} AND ${which})`;

const doPollsWait = (calendar: string, now: string) => isWatched(calendar, now, spacesPolls("pw"));

/**
 * Returns SQL for whether a calendar is polled apart from its profile, whose polls are rare because others are watched:
 * this calendar is not.
 */
export const isPolledAlone = (calendar: string, now: string) =>
  `(${doPollsWait(calendar, now)} AND NOT ${isWatched(calendar, now, `pw.calendar_id = ${calendar}.id`)})`;

/** How long after a failed read a notice of its provider triggers another. */
const AFTER_NOTICE = "interval '5 seconds'";

/**
 * Returns SQL for when to read a calendar again that is polled alone, or could not be read: soon if its provider has
 * notified us of it since.
 */
export const readAgainAt = (calendar: string) => `CASE WHEN ${calendar}.noticed_at > ${calendar}.failed_at
  THEN least(${calendar}.poll_due_at, ${calendar}.failed_at + ${AFTER_NOTICE}) ELSE ${calendar}.poll_due_at END`;

/** Returns SQL for whether a failed read was earlier than due, because of a notice. */
export const isReadEarly = (calendar: string, now: string) =>
  `(${calendar}.sync_failures > 0 AND ${calendar}.noticed_at > ${calendar}.failed_at AND ${calendar}.poll_due_at > ${now})`;

/** Returns SQL for whether an unreadable calendar is retried apart from its profile, whose polls are rare. */
export const isRetriedAlone = (calendar: string, now: string) =>
  `(${calendar}.sync_failures > 0 AND ${calendar}.stale_at IS NOT NULL AND ${doPollsWait(calendar, now)})`;
