import { bool, type Column, int4, statement } from "@/server/db/statement";
import { occurrenceState } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";

const instant: Column<Instant> = { type: "float8", isNullable: false };

/** Time that the events of a calendar take. Times in milliseconds, all-day ones as UTC midnights. */
export interface BusyRow {
  /** The position of the calendar among those asked for, from 0. */
  place: number;
  allDay: boolean;
  starts: Instant;
  ends: Instant;
}

const columns = { place: int4, allDay: bool, starts: instant, ends: instant };

/** The answer of an invited person is asked for in the event, and in the occurrence where it has one of its own. */
const replied = `CROSS JOIN LATERAL (SELECT e.participation_status FROM events e WHERE e.calendar_id = w.calendar_id AND e.id = o.master_id OFFSET 0) e
  WHERE CASE WHEN coalesce(o.changes ->> 'participation_status', e.participation_status) = 'needs_action' THEN $8::boolean
    WHEN o.free_busy = 'tentative' THEN $9::boolean ELSE true END`;

const live = `o.state <> ${occurrenceState.deleted} AND o.state <> ${occurrenceState.declined}`;
const takes = "o.free_busy <> 'free' AND o.ends > o.starts AND o.master_id <> ALL ($7::text[])";
/** Selects the bookings of each calendar that meet a condition. `OFFSET 0` has each looked up by itself, however many there are in all. */
const bookingsThat = (
  meet: string,
) => `CROSS JOIN LATERAL (SELECT k.booking_id, k.event_calendar_id, k.event_row FROM booking_calendars k
    WHERE k.calendar_id = w.calendar_id AND ${meet} OFFSET 0) k`;

/**
 * Builds the statement for the time that is taken in the calendars $1 between $4 and $5, each calendar's merged: what
 * overlaps or touches is one row. $2 are their positions, $3 says of which the application's own events alone count.
 * Declined, deleted and transparent events take none, nor do those of no length. At the time $6 (null: now) holds of
 * bookings take theirs, and booked events also that of the calendars that had to be free for them. The events $7 and their
 * bookings are left out.
 */
function busyText(judged: string): string {
  const same = `o.calendar_id = w.calendar_id AND o.all_day = k.all_day AND o.managed = k.managed AND ${live}`;
  const taken = "o.starts, o.ends, o.master_id, o.changes, o.free_busy";
  return `WITH w AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::int[], $3::boolean[]) w(calendar_id, place, own_alone)),
t AS (SELECT w.place, k.all_day, o.starts, o.ends FROM w
  CROSS JOIN (VALUES (false, false), (false, true), (true, false), (true, true)) k(all_day, managed)
  CROSS JOIN LATERAL (
    SELECT ${taken} FROM occurrences o WHERE ${same}
      AND o.starts >= $4::timestamptz - interval '24 hours' AND o.starts < $5::timestamptz AND o.ends > $4
    UNION ALL
    SELECT ${taken} FROM occurrences o WHERE ${same} AND o.is_long
      AND o.starts < $4::timestamptz - interval '24 hours' AND o.ends > $4
    OFFSET 0) o
  ${judged} AND (k.managed OR NOT w.own_alone) AND ${takes}
  UNION ALL
  SELECT w.place, false, h.starts, h.ends FROM w ${bookingsThat("k.held_until > coalesce($6::timestamptz, clock_timestamp())")}
  CROSS JOIN LATERAL (SELECT h.starts, h.ends FROM bookings b CROSS JOIN LATERAL unnest(b.held_starts, b.held_ends) h(starts, ends)
    WHERE b.id = k.booking_id AND h.starts < $5 AND h.ends > $4 OFFSET 0) h
  WHERE k.event_row <> ALL ($7::text[])
  UNION ALL
  SELECT w.place, o.all_day, o.starts, o.ends FROM w ${bookingsThat("k.held_until IS NULL AND k.event_calendar_id <> k.calendar_id")}
  CROSS JOIN LATERAL (
    SELECT o.all_day, o.starts, o.ends FROM occurrences o WHERE o.calendar_id = k.event_calendar_id AND o.master_id = k.event_row
      AND ${live} AND ${takes} AND o.starts < $5 AND o.ends > $4 OFFSET 0) o)
SELECT m.place, m.all_day AS "allDay", date_part('epoch', lower(r)) * 1000 AS starts, date_part('epoch', upper(r)) * 1000 AS ends
FROM (SELECT place, all_day, range_agg(tstzrange(starts, ends)) AS ranges FROM t GROUP BY place, all_day) m
CROSS JOIN LATERAL unnest(m.ranges) r ORDER BY 1, 3`;
}

/** All that is neither declined nor transparent takes time. */
export const busyOfAll = statement<BusyRow>(busyText("WHERE true"), columns);

/** $8: invitations without an answer take time. $9: what is tentative does. */
export const busyOfSome = statement<BusyRow>(busyText(replied), columns);
