const isWatched = (profile: string, calendar: string, now: string) =>
  `EXISTS (SELECT FROM provider_watches pw WHERE pw.profile_id = ${profile} AND pw.calendar_id IS NOT DISTINCT FROM ${calendar}
    AND pw.resource IS NOT NULL AND pw.renew_at > ${now})`;

const isListWatched = (calendar: string, now: string) => isWatched(`${calendar}.profile_id`, "NULL", now);

/** SQL for whether a calendar is polled apart from its profile: the list of calendars is watched, and the calendar is not. */
export const isPolledAlone = (calendar: string, now: string) =>
  `(${isListWatched(calendar, now)} AND NOT ${isWatched(`${calendar}.profile_id`, `${calendar}.id`, now)})`;

/** SQL for whether a calendar that could not be read is tried again apart from its profile. */
export const isRetriedAlone = (calendar: string, now: string) =>
  `(${calendar}.sync_failures > 0 AND ${calendar}.stale_at IS NOT NULL AND ${isListWatched(calendar, now)})`;
