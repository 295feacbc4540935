/** "up to 300 events" a page ("Limits"). */
export const EVENTS_PAGE = 300;
/** Events or changes in one result of a tool of the MCP server. */
export const ASSISTANT_EVENTS = 20;
/** "up to 1,000 periods" a page ("Limits"). */
export const FREE_BUSY_PAGE = 1_000;
/** Up to 300 writes a page, as of events. */
export const WRITES_PAGE = 300;
/** The most `calendar_ids` in a read. */
export const MAX_READ_CALENDARS = 100;
/** The most open channels per account ("Limits"). */
export const MAX_OPEN_CHANNELS = 100;
/** The most requests of a batch. */
export const MAX_BATCH_ENTRIES = 50;
/** The most `filters.calendar_ids` of a channel. */
export const MAX_CHANNEL_CALENDARS = 200;
/** The most entries each in `invite` and `remove` of one write. */
export const MAX_GUEST_ENTRIES = 100;
/** The most groups of one question for availability. */
export const MAX_AVAILABILITY_GROUPS = 10;
/** The most members of a group, and of all groups together. */
export const MAX_AVAILABILITY_MEMBERS = 50;
/** The most entries of a list of periods, or of working hours. */
export const MAX_AVAILABILITY_PERIODS = 50;
/** The most periods or slots of an answer. */
export const MAX_AVAILABILITY_RESULTS = 512;
/** The most changes of one response of the feed. */
export const MAX_CHANGES = 500;
/** How long a cursor of the feed can be used, and how long changes are kept at least. */
export const FEED_MEMORY_MS = 30 * 86_400_000;
/** For how many seconds a booking can be held. */
export const MIN_HOLD_SECONDS = 30;
export const MAX_HOLD_SECONDS = 900;
/** Redirect URIs of a client that registers itself. */
export const MAX_REGISTERED_URIS = 5;
