/** "up to 300 events" a page ("Limits"). */
export const EVENTS_PAGE = 300;
/** "up to 1,000 periods" a page ("Limits"). */
export const FREE_BUSY_PAGE = 1_000;
/** The most `calendar_ids` in a read. */
export const MAX_READ_CALENDARS = 100;
/** The most open channels per account ("Limits"). */
export const MAX_OPEN_CHANNELS = 100;
/** The most `filters.calendar_ids` of a channel. */
export const MAX_CHANNEL_CALENDARS = 200;
/** The most entries each in `invite` and `remove` of one write. */
export const MAX_GUEST_ENTRIES = 100;
