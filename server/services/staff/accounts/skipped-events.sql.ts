import { int4, statement, text, timestamp } from "@/server/db/statement";

const MOST_CALENDARS = 200;
/** How many of a calendar's unreadable events are listed. */
const MOST_SKIPPED = 50;

interface StoredSkipped {
  calendarId: string;
  externalId: string;
  reason: string;
  readAt: Date;
  /** How many the calendar has in total. */
  count: number;
}

/** Resources of an account's calendars that could not be read, the latest first. Tasks and journal entries are not events. */
export const skippedEvents = statement<StoredSkipped>(
  `SELECT c.id AS "calendarId", k.external_id AS "externalId", k.reason, k.read_at AS "readAt", k.count
FROM (SELECT id FROM calendars WHERE account_id = $1 AND NOT deleted ORDER BY number LIMIT ${MOST_CALENDARS}) c
CROSS JOIN LATERAL (SELECT external_id, reason, read_at, (count(*) OVER ())::int AS count FROM skipped_resources
  WHERE calendar_id = c.id AND is_event ORDER BY read_at DESC, external_id LIMIT ${MOST_SKIPPED}) k
ORDER BY c.id, k.read_at DESC, k.external_id`,
  { calendarId: text, externalId: text, reason: text, readAt: timestamp, count: int4 },
);
