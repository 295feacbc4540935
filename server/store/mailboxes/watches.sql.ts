import { prepared } from "@/server/db/client";
import {
  bool,
  type Column,
  command,
  float8,
  int4,
  json,
  nullable,
  oneOf,
  statement,
  text,
} from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import type { HookNotice } from "@/server/providers/watching";
import { isRefusedWrite } from "@/server/store/events/write-states";
import { spacesPolls } from "@/server/store/mailboxes/polled-alone.sql";

const now = (place: string) => `coalesce(${place}::timestamptz, clock_timestamp())`;

export interface UnwatchedCalendar {
  /** Null, like the name: the list of calendars. */
  calendarId: string | null;
  externalId: string | null;
}

export const unwatchedStatement = statement<UnwatchedCalendar>(
  prepared(
    "unwatched",
    `SELECT id AS "calendarId", external_id AS "externalId" FROM calendars c WHERE profile_id = $1 AND NOT deleted
  AND NOT EXISTS (SELECT FROM provider_watches w WHERE w.calendar_id = c.id)
UNION ALL SELECT NULL, NULL WHERE NOT EXISTS (SELECT FROM provider_watches w WHERE w.profile_id = $1 AND w.calendar_id IS NULL)`,
  ),
  { calendarId: nullable(text), externalId: nullable(text) },
);

export interface StoredWatch extends UnwatchedCalendar {
  channel: string;
  /** Null: it was never started. */
  resource: string | null;
  /** In milliseconds since 1970. */
  expiresAt: number | null;
}

const storedWatch = `SELECT w.channel, w.calendar_id AS "calendarId", c.external_id AS "externalId", w.resource,
  date_part('epoch', w.expires_at) * 1000 AS "expiresAt"
FROM provider_watches w LEFT JOIN calendars c ON c.id = w.calendar_id`;
const storedWatchColumns = {
  channel: text,
  calendarId: nullable(text),
  externalId: nullable(text),
  resource: nullable(text),
  expiresAt: nullable(float8),
};

export const dueWatchesStatement = statement<StoredWatch>(
  prepared(
    "due watches",
    `${storedWatch} WHERE w.profile_id = $1 AND w.renew_at <= ${now("$2")} AND (c.id IS NULL OR NOT c.deleted) ORDER BY w.renew_at`,
  ),
  storedWatchColumns,
);

export const uselessWatchesStatement = statement<StoredWatch>(
  prepared("useless watches", `${storedWatch} WHERE w.profile_id = $1 AND c.deleted ORDER BY w.channel`),
  storedWatchColumns,
);

/**
 * The milliseconds until the first watch must be renewed. Null where a poll has something to do before: the list is not
 * watched though its provider supports it, a calendar was not read in full, or a refused write is still to be reverted.
 * Calendars without a watch are polled alone, and unreadable ones are retried alone.
 */
export const watchedForStatement = statement<{ ms: number | null }>(
  prepared(
    "watched for",
    `SELECT CASE WHEN bool_or(${spacesPolls("w")}) AND NOT EXISTS (SELECT FROM calendars c WHERE c.profile_id = $1 AND NOT c.deleted
      AND c.sync_failures = 0 AND (c.stale_at IS NOT NULL OR EXISTS (SELECT FROM provider_writes r WHERE r.calendar_id = c.id AND ${isRefusedWrite("r")})))
    THEN date_part('epoch', min(w.renew_at) - ${now("$2")}) * 1000 END AS ms
FROM provider_watches w LEFT JOIN calendars c ON c.id = w.calendar_id
WHERE w.profile_id = $1 AND w.resource IS NOT NULL AND w.renew_at > ${now("$2")} AND c.deleted IS NOT TRUE`,
  ),
  { ms: nullable(float8) },
);

/** How long after a failure to open a watch is tried again. */
const AGAIN = "interval '1 hour'";

/** Inserted before the provider knows the channel, so that its first notice is recognised. */
export const insertWatchStatement = command(`INSERT INTO provider_watches (channel, profile_id, calendar_id, renew_at)
SELECT $1, p.id, $3, ${now("$4")} + ${AGAIN} FROM profiles p WHERE p.id = $2 AND p.connected`);

/** It could not be opened. A provider that notifies nobody of such a calendar is asked again after a week, in case that changes. */
export const setWatchAsideStatement = command(
  `UPDATE provider_watches SET resource = NULL, refused_for = $3::text,
  renew_at = ${now("$2")} + CASE WHEN $3::text IS NULL THEN interval '7 days' ELSE ${AGAIN} END WHERE channel = $1`,
);

/** It is renewed after half of its lifetime. */
export const keepWatchStatement =
  command(`UPDATE provider_watches SET resource = $2, refused_for = NULL, expires_at = $3::timestamptz,
  renew_at = t.now + ($3::timestamptz - t.now) / 2 FROM (SELECT ${now("$4")} AS now) t WHERE channel = $1`);

/** The next poll renews it. */
export const renewNowStatement = command(
  `UPDATE provider_watches SET renew_at = ${now("$2")} WHERE channel = ANY ($1::text[])`,
);

export interface NoticedWatch {
  channel: string;
  profileId: string;
  calendarId: string | null;
  kind: HookNotice["kind"];
}

export const noticedStatement = statement<NoticedWatch>(
  `SELECT w.channel, w.profile_id AS "profileId", w.calendar_id AS "calendarId", n.kind
FROM jsonb_to_recordset($2::jsonb) AS n(channel text, kind text)
JOIN provider_watches w ON w.channel = n.channel
JOIN profiles p ON p.id = w.profile_id WHERE p.provider::text = ANY ($1::text[]) AND p.connected`,
  { channel: text, profileId: text, calendarId: nullable(text), kind: text as Column<NoticedWatch["kind"]> },
);

/** A sync that confirms a rejection of credentials stays due when it was. */
export const pollNowStatement = command(
  `UPDATE profile_syncs SET noticed_at = ${now("$2")}, poll_due_at = NULL,
  sync_due_at = CASE WHEN sync_error = 'credentials_rejected' THEN sync_due_at ELSE least(sync_due_at, ${now("$2")}) END
WHERE profile_id = ANY ($1::text[]) AND readable`,
);

export interface DueRevocation {
  profileId: string;
  provider: Provider;
  credential: string;
  /** The id of the application's own client that the access was given to. Null: none. */
  ownClient: string | null;
  /** The number of this try. */
  attempt: number;
  watches: { channel: string; resource: string; expiresAt: number }[];
  /** The same calendar account is connected to another application by its user: our access must stay. */
  isShared: boolean;
}

export const queueRevocation =
  command(`INSERT INTO provider_revocations (profile_id, provider, subject, credential, due_at, oauth_client_id)
VALUES ($1, $2::provider, $3, $4, ${now("$5")} + make_interval(secs => $6::float8 / 1000), $7)`);

/** It is retried after a growing wait, until it is deleted. One at a time, so that the first wait is longer than a try may take. */
export const claimRevocation = statement<DueRevocation>(
  `UPDATE provider_revocations r SET attempts = attempts + 1, due_at = t.now + make_interval(mins => (5 * power(3, least(attempts, 5)))::int)
FROM (SELECT ${now("$1")} AS now) t
WHERE r.profile_id IN (SELECT profile_id FROM provider_revocations WHERE due_at <= ${now("$1")} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING r.profile_id AS "profileId", r.provider, r.credential, r.oauth_client_id AS "ownClient", r.attempts AS attempt, r.watches,
  EXISTS (SELECT FROM profiles p WHERE p.provider = r.provider AND p.subject = r.subject AND p.connected AND p.delegation_id IS NULL) AS "isShared"`,
  {
    profileId: text,
    provider: oneOf<Provider>(),
    credential: text,
    ownClient: nullable(text),
    attempt: int4,
    watches: json<DueRevocation["watches"]>(),
    isShared: bool,
  },
);
