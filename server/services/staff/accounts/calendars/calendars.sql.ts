import { bool, int4, nullable, statement, text, timestamp } from "@/server/db/statement";

/** How many of a day's events are shown. */
export const MOST_OF_DAY = 200;
const MOST_CALENDARS = 200;

interface StoredCounts {
  id: string;
  readonly: boolean;
  primary: boolean;
  tzid: string | null;
  events: number;
}

/** The number of a calendar's events in the stored time range, each occurrence of a series counted, from the counts by day. */
export const calendarCounts = statement<StoredCounts>(
  `SELECT c.id, c.readonly, c."primary", c.tzid, (SELECT coalesce(sum(live + declined), 0)::int FROM calendar_days d WHERE d.calendar_id = c.id) AS events
FROM calendars c WHERE c.account_id = $1 ORDER BY c.deleted, c.number LIMIT ${MOST_CALENDARS}`,
  { id: text, readonly: bool, primary: bool, tzid: nullable(text), events: int4 },
);

interface StoredDay {
  uid: string;
  eventId: string | null;
  allDay: boolean;
  starts: Date;
  ends: Date;
  freeBusy: string;
  isDeclined: boolean;
  repeats: boolean;
}

const columns = `o.uid, o.event_id AS "eventId", o.all_day AS "allDay", o.starts, o.ends, o.free_busy AS "freeBusy",
  o.state = 1 AS "isDeclined", o.day IS NOT NULL AS repeats`;

/**
 * Events that overlap a day, without texts: $2 and $3 are its beginning and end in a zone, $4 and $5 in UTC, in which
 * all-day events are stored. Each of the four kinds is a look into the index of a calendar's occurrences, and those
 * that last longer than a day have an index of their own.
 */
export const eventsOfDay = statement<StoredDay>(
  `SELECT ${columns} FROM (VALUES (false, false), (false, true), (true, false), (true, true)) k(all_day, managed)
CROSS JOIN LATERAL (SELECT CASE WHEN k.all_day THEN $4::timestamptz ELSE $2 END AS begins, CASE WHEN k.all_day THEN $5::timestamptz ELSE $3 END AS over) t
CROSS JOIN LATERAL (
  SELECT * FROM occurrences WHERE calendar_id = $1 AND all_day = k.all_day AND managed = k.managed AND state <> 2 AND NOT is_long
    AND starts >= t.begins - interval '24 hours' AND starts < t.over AND (ends > t.begins OR starts >= t.begins)
  UNION ALL
  SELECT * FROM occurrences WHERE calendar_id = $1 AND all_day = k.all_day AND managed = k.managed AND state <> 2 AND is_long
    AND starts < t.over AND ends > t.begins) o
ORDER BY o.all_day DESC, o.starts, o.uid LIMIT ${MOST_OF_DAY + 1}`,
  {
    uid: text,
    eventId: nullable(text),
    allDay: bool,
    starts: timestamp,
    ends: timestamp,
    freeBusy: text,
    isDeclined: bool,
    repeats: bool,
  },
);

interface StoredText {
  uid: string;
  summary: string;
  location: string | null;
}

/** The texts of occurrences: an occurrence of a series may have its own. */
export const textsOf = statement<StoredText>(
  `SELECT o.uid, coalesce(o.changes ->> 'summary', e.summary) AS summary,
  CASE WHEN o.changes ? 'location' THEN o.changes ->> 'location' ELSE e.location END AS location
FROM occurrences o JOIN events e ON e.calendar_id = o.calendar_id AND e.id = o.master_id WHERE o.calendar_id = $1 AND o.uid = ANY ($2)`,
  { uid: text, summary: text, location: nullable(text) },
);
