import { prepared } from "@/server/db/client";
import { bool, command, float8, int4, nullable, statement, text, texts } from "@/server/db/statement";
import { QUIET_SHARE } from "@/server/domain/providers";
import { isRefusedWrite } from "@/server/store/events/write-states";
import { isPolledAlone, isReadEarly, readAgainAt } from "@/server/store/mailboxes/polled-alone.sql";

const now = "(SELECT coalesce($3::timestamptz, clock_timestamp()) AS now) t";

/**
 * A calendar without a ctag, whose provider does not say when it changes, is read at each poll. The others are read
 * when their ctag differs, when their sync token ends, when events were written to them that no read has looked for,
 * and when reads still return a write that the provider rejected. A calendar read by an older version than $4 of the
 * provider's reader is read again, each in its own hour of the day.
 */
export const markPolledStatement = command(
  prepared(
    "mark polled",
    `UPDATE calendars c SET stale_at = clock_timestamp()
FROM (SELECT k.id, l.ctag FROM calendars k
  LEFT JOIN json_to_recordset($2::json) AS l(external_id text, ctag text) ON l.external_id = k.external_id
  WHERE k.profile_id = $1 AND NOT k.deleted AND k.stale_at IS NULL) l, ${now}
WHERE c.id = l.id AND (l.ctag IS NULL OR l.ctag IS DISTINCT FROM c.ctag OR c.sync_token_valid_until <= t.now OR c.unseen_writes <> '{}'
  OR c.reader < $4::int AND abs(hashtext(c.id) % 24) = date_part('hour', t.now AT TIME ZONE 'UTC')
  OR EXISTS (SELECT FROM provider_writes w WHERE w.calendar_id = c.id AND ${isRefusedWrite("w")}))`,
  ),
);

export interface StaleCalendar {
  id: string;
  externalId: string;
  /** The sync token of the next read. Null: everything is read. */
  syncToken: string | null;
  /** Since when it is stale, as PostgreSQL writes it. Null: it is polled alone, and due. */
  staleAt: string | null;
  /** The time, as PostgreSQL writes it. */
  at: string;
  /** Failed reads in a row. */
  failures: number;
  /** Writes to it that the provider rejected, and that our reads still return: each its id and revision, with a dot between. */
  refused: string[];
  /** An older version of the reader read it last in full, or none. */
  isOutdated: boolean;
  /** Whether something in it could not be read. */
  hasSkipped: boolean;
  /** The names of events that were written since the last read. */
  unseen: string[];
}

/** The second value: whether to include unreadable calendars that still wait. The fourth: the version of the provider's reader. */
export const staleStatement = statement<StaleCalendar>(
  prepared(
    "stale",
    `SELECT c.id, c.external_id AS "externalId", CASE WHEN c.sync_token_valid_until <= t.now OR c.reader < $4::int THEN NULL ELSE c.sync_token END AS "syncToken", c.stale_at::text AS "staleAt", t.now::text AS at, c.sync_failures AS failures,
  ARRAY(SELECT concat(w.id, '.', w.revision) FROM provider_writes w WHERE w.calendar_id = c.id AND ${isRefusedWrite("w")}) AS refused,
  c.reader < $4::int AS "isOutdated", EXISTS (SELECT FROM skipped_resources k WHERE k.calendar_id = c.id) AS "hasSkipped",
  c.unseen_writes AS unseen
FROM calendars c, ${now} WHERE c.profile_id = $1 AND NOT c.deleted
  AND (c.stale_at IS NOT NULL AND ($2 OR c.sync_failures = 0) OR ${readAgainAt("c")} <= t.now AND (c.stale_at IS NOT NULL OR ${isPolledAlone("c", "t.now")}))
ORDER BY c.stale_at, c.number`,
  ),
  {
    ...{ id: text, externalId: text, syncToken: nullable(text), staleAt: nullable(text), at: text },
    ...{ failures: int4, refused: texts, isOutdated: bool, hasSkipped: bool, unseen: texts },
  },
);

/** Only while the claim holds. A calendar that was marked again during the read stays stale. */
export const keepSyncTokenStatement = command(
  prepared(
    "keep sync token",
    `UPDATE calendars c SET sync_token = $3, ctag = $4, read_at = t.now, reader = CASE WHEN $6::boolean THEN greatest(c.reader, $12::int) ELSE c.reader END, sync_failures = 0, sync_error = NULL, failed_at = NULL,
  unseen_writes = CASE WHEN $6::boolean AND c.unseen_writes <> '{}' THEN ARRAY(SELECT unnest(c.unseen_writes) EXCEPT SELECT unnest($13::text[])) ELSE c.unseen_writes END,
  poll_due_at = t.now + make_interval(secs => greatest($10::float8, least($11::float8, date_part('epoch', t.now - c.changed_at) * 1000 * ${QUIET_SHARE})) / 1000),
  sync_token_valid_until = CASE WHEN $8::boolean THEN least(sync_token_valid_until, $5::timestamptz) ELSE $5 END,
  stale_at = CASE WHEN $6::boolean AND c.stale_at::text IS NOT DISTINCT FROM $7 THEN NULL ELSE c.stale_at END
FROM profile_syncs s, (SELECT coalesce($9::timestamptz, clock_timestamp()) AS now) t
WHERE c.id = $1 AND s.profile_id = c.profile_id AND s.sync_lease = $2`,
  ),
);

/** Only while the claim holds. A read that began early because of a notice does not count: the next one stays due when it was. */
export const keepFailureStatement = command(`UPDATE calendars c SET sync_error = $4, failed_at = $6::timestamptz,
  sync_failures = CASE WHEN ${isReadEarly("c", "t.now")} THEN c.sync_failures ELSE c.sync_failures + 1 END,
  poll_due_at = CASE WHEN ${isReadEarly("c", "t.now")} THEN c.poll_due_at ELSE t.now + make_interval(secs => $5::float8 / 1000) END
FROM profile_syncs s, ${now} WHERE c.id = $1 AND s.profile_id = c.profile_id AND s.sync_lease = $2`);

export const listingTokenStatement = statement<{ syncToken: string | null }>(
  prepared("listing token", 'SELECT sync_token AS "syncToken" FROM profile_syncs WHERE profile_id = $1'),
  { syncToken: nullable(text) },
);

export const keepListingTokenStatement = command(
  prepared(
    "keep listing token",
    "UPDATE profile_syncs SET sync_token = $3 WHERE profile_id = $1 AND sync_lease = $2 AND sync_token IS DISTINCT FROM $3",
  ),
);

/** `inMs`: in how many milliseconds the calendar is read. */
export const markStaleStatement = statement<{ profileId: string; inMs: number }>(
  `UPDATE calendars c SET stale_at = clock_timestamp(), noticed_at = t.now
FROM (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now) t WHERE c.id = ANY ($1::text[]) AND NOT c.deleted
RETURNING c.profile_id AS "profileId",
  CASE WHEN c.sync_failures > 0 THEN greatest(0, date_part('epoch', ${readAgainAt("c")} - t.now) * 1000) ELSE 0 END AS "inMs"`,
  { profileId: text, inMs: float8 },
);
