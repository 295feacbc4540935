import { prepared } from "@/server/db/client";
import {
  bool,
  bytes,
  type Column,
  float8,
  int4,
  json,
  nullable,
  type Statement,
  statement,
  text,
  textOf,
} from "@/server/db/statement";
import type { Conferencing } from "@/server/domain/events/conferencing";
import { type FeedDetail, MAX_FEED_BYTES, MAX_FEED_OCCURRENCES } from "@/server/domain/feeds";
import { type FreeBusyStatus, occurrenceState } from "@/server/domain/free-busy";
import type { Instant } from "@/server/domain/time/instant";

const instant: Column<Instant> = { type: "float8", isNullable: false };
const millis = (column: string) => `date_part('epoch', ${column}) * 1000`;

/** A feed with what says whether it can be read. Times in milliseconds. */
export interface StoredFeed {
  id: string;
  calendarId: string;
  detail: FeedDetail;
  daysBack: number;
  daysAhead: number;
  uidKey: Buffer;
  createdAt: number;
  lastReadAt: number | null;
  /** When the calendar last changed, as PostgreSQL writes it, and in milliseconds. */
  change: string;
  changedAt: number;
  calendarName: string;
  /** Until when the occurrences of all its series are stored. Null: no series goes on. */
  coveredUntil: number | null;
  isConnected: boolean;
  isFirstSync: boolean;
  isDisabled: boolean;
}

/** The feed whose token has the digest $1, of a calendar that there is. */
export const feedOfToken = statement<StoredFeed>(
  prepared(
    "feed of a token",
    `SELECT f.id, f.calendar_id AS "calendarId", f.detail, f.days_back::int AS "daysBack", f.days_ahead::int AS "daysAhead", f.uid_key AS "uidKey",
  ${millis("f.created_at")} AS "createdAt", ${millis("f.last_read_at")} AS "lastReadAt", c.changed_at::text AS change, ${millis("c.changed_at")} AS "changedAt",
  c.name AS "calendarName", ${millis("c.covered_until")} AS "coveredUntil", p.connected AS "isConnected", p.initial_sync_required AS "isFirstSync",
  a.disabled_at IS NOT NULL AS "isDisabled"
FROM calendar_feeds f JOIN calendars c ON c.id = f.calendar_id JOIN profiles p ON p.id = c.profile_id JOIN applications a ON a.id = p.application_id
WHERE f.token_hash = $1 AND NOT c.deleted AND a.deleted_at IS NULL`,
  ),
  {
    id: text,
    calendarId: text,
    detail: textOf<FeedDetail>(),
    daysBack: int4,
    daysAhead: int4,
    uidKey: bytes,
    createdAt: float8,
    lastReadAt: nullable(float8),
    change: text,
    changedAt: float8,
    calendarName: text,
    coveredUntil: nullable(float8),
    isConnected: bool,
    isFirstSync: bool,
    isDisabled: bool,
  },
);

/** An occurrence as a feed shows it. Times in milliseconds, all-day ones as UTC midnights. What a feed does not show is null. */
export interface FeedRow {
  uid: string;
  allDay: boolean;
  starts: Instant;
  ends: Instant;
  updated: Instant;
  freeBusy: FreeBusyStatus;
  /** The calendar's owner has declined it: it takes no time. */
  isDeclined: boolean;
  isPrivate: boolean;
  tzid: string | null;
  summary: string | null;
  description: string | null;
  location: string | null;
  url: string | null;
  categories: string[] | null;
  conferencing: Conferencing;
  /** When the calendar last changed, as PostgreSQL writes it. */
  change: string;
}

const columns: Statement<FeedRow>["columns"] = {
  uid: text,
  allDay: bool,
  starts: instant,
  ends: instant,
  updated: instant,
  freeBusy: textOf<FreeBusyStatus>(),
  isDeclined: bool,
  isPrivate: bool,
  tzid: nullable(text),
  summary: nullable(text),
  description: nullable(text),
  location: nullable(text),
  url: nullable(text),
  categories: nullable(json<string[]>()),
  conferencing: nullable(json<NonNullable<Conferencing>>()),
  change: text,
};

const isPrivate = "coalesce((o.changes ->> 'private')::boolean, e.private)";
/** Selects a field of the occurrence, else of its event, unless the event is private. */
const shown = (field: string) =>
  `CASE WHEN NOT ${isPrivate} THEN CASE WHEN o.changes ? '${field}' THEN o.changes ->> '${field}' ELSE e.${field} END END AS ${field}`;
const none = (field: string, type: string) => `NULL::${type} AS ${field}`;
const title = shown("summary");

/** What each detail reads of events: what a feed does not show is not even read. */
const selected: Record<FeedDetail, string[]> = {
  busy: ["false AS private", ...["tzid", "summary", "description", "location", "url"].map((one) => none(one, "text"))],
  titles: [
    `${isPrivate} AS private`,
    ...[none("tzid", "text"), title],
    ...["description", "location", "url"].map((one) => none(one, "text")),
  ],
  full: [`${isPrivate} AS private`, "e.tzid", title, ...["description", "location", "url"].map(shown)],
};
const lists: Record<FeedDetail, string[]> = {
  busy: [none("categories", "jsonb"), none("conferencing", "jsonb")],
  titles: [none("categories", "jsonb"), none("conferencing", "jsonb")],
  full: [
    `CASE WHEN NOT ${isPrivate} THEN e.categories END AS categories`,
    `nullif(CASE WHEN NOT ${isPrivate} THEN CASE WHEN o.changes ? 'conferencing' THEN o.changes -> 'conferencing' ELSE e.conferencing END END, 'null') AS conferencing`,
  ],
};

const { live, deleted } = occurrenceState;
const states: Record<FeedDetail, string> = {
  busy: `o.state <> ${deleted} AND o.state = ${live} AND o.free_busy <> 'free'`,
  titles: `o.state <> ${deleted}`,
  full: `o.state <> ${deleted}`,
};
const read =
  "o.uid, o.master_id, o.calendar_id, o.all_day, o.starts, o.ends, o.updated_at, o.state, o.free_busy, o.changes";

/**
 * Builds the statement for what a feed shows of the calendar $1 between $2 and $3, in order: one row for each
 * occurrence, as reads have them. It is one statement, so that what is written in the meantime is in it wholly or not at
 * all. What would make the feed too large is left out from the end.
 */
function feedText(detail: FeedDetail): string {
  const same = `o.calendar_id = $1 AND o.all_day = k.all_day AND o.managed = k.managed AND ${states[detail]}`;
  return `SELECT s.uid, s.all_day AS "allDay", ${millis("s.starts")} AS starts, ${millis("s.ends")} AS ends, ${millis("s.updated")} AS updated,
  s.free_busy AS "freeBusy", s.state <> ${live} AS "isDeclined", s.private AS "isPrivate", s.tzid, s.summary, s.description, s.location, s.url, s.categories, s.conferencing,
  (SELECT changed_at::text FROM calendars WHERE id = $1) AS change
FROM (SELECT r.*, sum(200 + coalesce(octet_length(summary), 0) + coalesce(octet_length(description), 0) + coalesce(octet_length(location), 0)
    + coalesce(octet_length(url), 0) + coalesce(octet_length(categories::text), 0)) OVER (ORDER BY starts, uid) AS bytes
  FROM (SELECT o.uid, o.all_day, o.starts, o.ends, greatest(o.updated_at, e.content_changed_at) AS updated, o.free_busy, o.state,
      ${[...selected[detail], ...lists[detail]].join(", ")}
    FROM (VALUES (false, false), (false, true), (true, false), (true, true)) k(all_day, managed)
    CROSS JOIN LATERAL (
      SELECT ${read} FROM occurrences o WHERE ${same}
        AND o.starts >= $2::timestamptz - interval '24 hours' AND o.starts < $3::timestamptz AND (o.starts >= $2 OR o.ends > $2)
      UNION ALL
      SELECT ${read} FROM occurrences o WHERE ${same} AND o.is_long
        AND o.starts < $2::timestamptz - interval '24 hours' AND o.ends > $2
      OFFSET 0) o
    CROSS JOIN LATERAL (SELECT * FROM events e WHERE e.calendar_id = $1 AND e.id = o.master_id OFFSET 0) e
    ORDER BY o.starts, o.uid LIMIT ${MAX_FEED_OCCURRENCES}) r) s
WHERE s.bytes <= ${MAX_FEED_BYTES} ORDER BY s.starts, s.uid`;
}

export const busyFeed = statement<FeedRow>(prepared("feed, busy", feedText("busy")), columns);
export const titlesFeed = statement<FeedRow>(prepared("feed, titles", feedText("titles")), columns);
export const fullFeed = statement<FeedRow>(prepared("feed, full", feedText("full")), columns);
