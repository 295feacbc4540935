import { deletingBatch } from "@/server/db/batches";
import { bool, float8, int4, nullable, statement, text } from "@/server/db/statement";
import { GIVEN_UP_AFTER_MS } from "@/server/domain/channels/schedule";
import { occurrenceState } from "@/server/domain/free-busy";
import { LATE_MS, LOOK_AGAIN_S } from "@/server/domain/triggers";

/** An occurrence for which a trigger fires. */
export interface FiredRow {
  triggerId: string;
  channelId: string;
  callbackUrl: string;
  accountId: string;
  applicationId: string;
  isPaused: boolean;
  uid: string;
  isLate: boolean;
}

// All-day events begin at midnight where their owner is.
const local = (time: string) =>
  `CASE WHEN o.all_day THEN (${time} AT TIME ZONE 'UTC') AT TIME ZONE g.default_tzid ELSE ${time} END`;
const anchor = `CASE g.anchor WHEN 'start' THEN ${local("o.starts")} ELSE ${local("o.ends")} END + g.delay`;

/** The triggers $1 whose channel is open, with the time until which they look. $2: that time; null: now. */
const asked = `t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
g AS MATERIALIZED (SELECT g.*, make_interval(mins => g.minutes) AS delay, greatest(g.fired_until, t.now - make_interval(secs => ${GIVEN_UP_AFTER_MS / 1000})) AS since,
    n.callback_url, n.paused_at, a.application_id, a.default_tzid
  FROM triggers g JOIN channels n ON n.id = g.channel_id AND n.closed_at IS NULL JOIN accounts a ON a.id = g.account_id, t
  WHERE g.id = ANY ($1::text[]) FOR NO KEY UPDATE OF g)`;
const calendars = `JOIN calendars k ON k.account_id = g.account_id AND NOT k.deleted AND (g.all_calendars OR k.id = ANY (g.calendar_ids))
  CROSS JOIN (VALUES (false, false), (false, true), (true, false), (true, true)) v(all_day, managed)`;
const same = `o.calendar_id = k.id AND o.all_day = v.all_day AND o.managed = v.managed AND o.state <> ${occurrenceState.deleted} AND o.state <> ${occurrenceState.declined}`;
const columns = "o.uid, o.master_id, o.calendar_id, o.all_day, o.starts, o.ends, o.updated_at, o.changes";
const hasGuests = `(g.min_guests = 0 OR (SELECT jsonb_array_length(coalesce(o.changes -> 'attendees', e.attendees)) FROM events e
  WHERE e.calendar_id = o.calendar_id AND e.id = o.master_id) >= g.min_guests)`;

/**
 * Fires the triggers $1 for every occurrence whose time has come since they looked last, and once for each. An event that
 * was written or moved so that its time before the start has just passed fires, too, until it starts.
 */
export const fire = statement<FiredRow>(
  `WITH ${asked},
due AS (SELECT g.id AS trigger_id, o.uid, o.at, t.now FROM g CROSS JOIN t ${calendars}
  CROSS JOIN LATERAL (SELECT o.*, ${anchor} AS at FROM (
    SELECT ${columns} FROM occurrences o WHERE ${same}
      AND o.starts > least(g.since - g.delay, t.now) - interval '49 hours' AND o.starts <= t.now + greatest(-g.delay, interval '0') + interval '15 hours'
    UNION ALL
    SELECT ${columns} FROM occurrences o WHERE ${same} AND o.is_long AND g.anchor = 'end'
      AND o.starts <= least(g.since - g.delay, t.now) - interval '49 hours' AND o.ends > g.since - g.delay - interval '15 hours') o OFFSET 0) o
  WHERE (v.managed OR NOT g.only_managed) AND o.at <= t.now
    AND (o.at > g.since OR (g.minutes < 0 AND o.at > g.created_at AND o.updated_at > g.fired_until AND ${local("o.starts")} > t.now)) AND ${hasGuests}),
fired AS (INSERT INTO firings (trigger_id, uid, at) SELECT trigger_id, uid, min(at) FROM due GROUP BY 1, 2 ON CONFLICT DO NOTHING RETURNING trigger_id, uid, at),
looked AS (UPDATE triggers SET fired_until = t.now FROM t WHERE id IN (SELECT id FROM g))
SELECT g.id AS "triggerId", g.channel_id AS "channelId", g.callback_url AS "callbackUrl", g.account_id AS "accountId",
  g.application_id AS "applicationId", g.paused_at IS NOT NULL AS "isPaused", f.uid, f.at < t.now - make_interval(secs => ${LATE_MS / 1000}) AS "isLate"
FROM fired f JOIN g ON g.id = f.trigger_id, t ORDER BY f.at`,
  {
    triggerId: text,
    channelId: text,
    callbackUrl: text,
    accountId: text,
    applicationId: text,
    isPaused: bool,
    uid: text,
    isLate: bool,
  },
);

/**
 * Has the triggers $1 look again: when the next occurrence is due, as far as that is known, or soon. Signals of those that
 * are gone, or whose channel is closed, are dropped. Returns the seconds until the first.
 */
export const lookAgain = statement<{ seconds: number | null }>(
  `WITH ${asked},
next AS (SELECT g.id, (SELECT min(o.at) FROM calendars k CROSS JOIN (VALUES (false, false), (false, true), (true, false), (true, true)) v(all_day, managed)
    CROSS JOIN LATERAL (SELECT ${anchor} AS at FROM occurrences o WHERE ${same}
      AND o.starts > t.now - g.delay - interval '49 hours' AND o.starts <= t.now - g.delay + interval '15 hours') o
    WHERE k.account_id = g.account_id AND NOT k.deleted AND (g.all_calendars OR k.id = ANY (g.calendar_ids)) AND (v.managed OR NOT g.only_managed)
      AND o.at > t.now) AS at FROM g, t),
armed AS (UPDATE outbox b SET due_at = least(t.now + interval '${LOOK_AGAIN_S} seconds', coalesce(next.at, 'infinity')) FROM next, t
  WHERE b.kind = 'trigger' AND b.account_id IN (SELECT account_id FROM g) AND b.subject = next.id RETURNING b.due_at),
gone AS (DELETE FROM outbox b WHERE b.id = ANY ($3::bigint[]) AND b.subject NOT IN (SELECT id FROM g))
SELECT min(date_part('epoch', a.due_at - t.now)) AS seconds FROM armed a, t`,
  { seconds: nullable(float8) },
);

export const dropFirings = statement<{ n: number }>(deletingBatch("firings", "at < $1"), { n: int4 });
