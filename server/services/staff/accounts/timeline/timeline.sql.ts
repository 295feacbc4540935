import { bool, int4, json, jsonText, nullable, oneOf, statement, text, texts, timestamp } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { caldavServerOf } from "@/server/services/staff/accounts/caldav-server";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";
import type { StoredBody } from "@/server/services/staff/requests/shapes";
import { isAttemptOf } from "@/server/store/deliveries/attempts-of";
import { loggedPart } from "@/server/store/request-logs/request-logs.sql";

/** How many of each are shown at most; the page says when there are more. */
export const MOST_SHOWN = 100;
/** How many deliveries of a channel are shown. */
export const MOST_OF_CHANNEL = 50;
const MOST_CHANNELS = 50;
const MOST_CALENDARS = 200;
/** How many attempts of a delivery are shown: staff may request any number. */
const MOST_ATTEMPTS = 30;

interface StoredHead {
  id: string;
  revokedAt: Date | null;
  disabledAt: Date | null;
  waiting: number;
  setAside: number;
}

export const timelineHead = statement<StoredHead>(
  `SELECT a.id, a.revoked_at AS "revokedAt", p.disabled_at AS "disabledAt", o.waiting, o.set_aside AS "setAside"
FROM accounts a JOIN applications p ON p.id = a.application_id CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE due_at < 'infinity'))::int AS waiting,
  (count(*) FILTER (WHERE due_at = 'infinity'))::int AS set_aside FROM outbox WHERE account_id = a.id AND kind = 'change') o WHERE a.id = $1`,
  {
    id: text,
    revokedAt: nullable(timestamp),
    disabledAt: nullable(timestamp),
    waiting: int4,
    setAside: int4,
  },
);

/** Returns SQL for until when a provider notifies us, or why it does not. */
const watchOf = (which: string) =>
  `SELECT max(expires_at) FILTER (WHERE resource IS NOT NULL) AS ends_at, max(refused_for) AS refused_for FROM provider_watches WHERE ${which}`;

export interface StoredTimelineProfile {
  id: string;
  provider: Provider;
  name: string;
  /** What its CalDAV server is called. Null: it is at another provider. */
  server: string | null;
  connected: boolean;
  disconnectedAt: Date | null;
  isFirstSync: boolean;
  lastSyncAt: Date | null;
  syncDueAt: Date | null;
  noticedAt: Date | null;
  syncFailures: number;
  syncError: string | null;
  throttledUntil: Date | null;
  watchEndsAt: Date | null;
  watchRefusedFor: string | null;
}

export const timelineProfiles = statement<StoredTimelineProfile>(
  `SELECT p.id, p.provider, p.name, ${caldavServerOf("p")} AS server, p.connected, p.disconnected_at AS "disconnectedAt",
  p.initial_sync_required AS "isFirstSync", s.last_sync_at AS "lastSyncAt", s.sync_due_at AS "syncDueAt", s.noticed_at AS "noticedAt",
  s.sync_failures AS "syncFailures", s.sync_error AS "syncError",
  greatest(s.throttled_until, (SELECT until FROM provider_pauses WHERE provider = p.provider)) AS "throttledUntil",
  w.ends_at AS "watchEndsAt", w.refused_for AS "watchRefusedFor"
FROM profiles p JOIN profile_syncs s ON s.profile_id = p.id CROSS JOIN LATERAL (${watchOf("profile_id = p.id AND calendar_id IS NULL")}) w
WHERE p.account_id = $1 ORDER BY p.created_at, p.id`,
  {
    id: text,
    provider: oneOf<Provider>(),
    name: text,
    server: nullable(text),
    connected: bool,
    disconnectedAt: nullable(timestamp),
    isFirstSync: bool,
    lastSyncAt: nullable(timestamp),
    syncDueAt: nullable(timestamp),
    noticedAt: nullable(timestamp),
    syncFailures: int4,
    syncError: nullable(text),
    throttledUntil: nullable(timestamp),
    watchEndsAt: nullable(timestamp),
    watchRefusedFor: nullable(text),
  },
);

export interface StoredCalendarReading {
  id: string;
  profileId: string;
  name: string;
  deleted: boolean;
  readAt: Date | null;
  noticedAt: Date | null;
  isStale: boolean;
  syncFailures: number;
  syncError: string | null;
  watchEndsAt: Date | null;
  watchRefusedFor: string | null;
}

/** How each calendar is read, deleted ones last. */
export const calendarReadings = statement<StoredCalendarReading>(
  `SELECT c.id, c.profile_id AS "profileId", c.name, c.deleted, c.read_at AS "readAt", c.noticed_at AS "noticedAt",
  c.stale_at IS NOT NULL AS "isStale", c.sync_failures AS "syncFailures", c.sync_error AS "syncError",
  w.ends_at AS "watchEndsAt", w.refused_for AS "watchRefusedFor"
FROM calendars c CROSS JOIN LATERAL (${watchOf("calendar_id = c.id")}) w WHERE c.account_id = $1 ORDER BY c.deleted, c.number LIMIT ${MOST_CALENDARS}`,
  {
    id: text,
    profileId: text,
    name: text,
    deleted: bool,
    readAt: nullable(timestamp),
    noticedAt: nullable(timestamp),
    isStale: bool,
    syncFailures: int4,
    syncError: nullable(text),
    watchEndsAt: nullable(timestamp),
    watchRefusedFor: nullable(text),
  },
);

export interface StoredTimelineChannel {
  id: string;
  callbackUrl: string;
  calendarIds: string[] | null;
  onlyManaged: boolean | null;
  createdAt: Date;
  pausedAt: Date | null;
  closedAt: Date | null;
  closedBy: string | null;
}

/** Open ones first, the newest first. */
export const timelineChannels = statement<StoredTimelineChannel>(
  `SELECT id, callback_url AS "callbackUrl", CASE WHEN NOT all_calendars THEN calendar_ids END AS "calendarIds", only_managed AS "onlyManaged",
  created_at AS "createdAt", paused_at AS "pausedAt", closed_at AS "closedAt", closed_by AS "closedBy"
FROM channels WHERE account_id = $1 ORDER BY closed_at IS NOT NULL, created_at DESC, id LIMIT ${MOST_CHANNELS}`,
  {
    id: text,
    callbackUrl: text,
    calendarIds: nullable(texts),
    onlyManaged: nullable(bool),
    createdAt: timestamp,
    pausedAt: nullable(timestamp),
    closedAt: nullable(timestamp),
    closedBy: nullable(text),
  },
);

export interface StoredTimelineDelivery {
  id: string;
  channelId: string;
  type: string;
  test: boolean;
  state: DeliveryState;
  changesSince: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  nextAttemptAt: Date | null;
  isJoined: boolean;
  attempts: {
    number: number;
    manual: boolean;
    startedAt: string;
    durationMs: number | null;
    status: number | null;
    error: string | null;
  }[];
}

/**
 * For each channel: the deliveries created in a time, the latest change before it, which a change may have joined or
 * waited for, and the two after it, which may announce a change that waited. Each of the three is a look into the index
 * of a channel's deliveries, from $4 to $5, so that PostgreSQL plans for no other days. None of them was attempted
 * before $6.
 */
export const timelineDeliveries = statement<StoredTimelineDelivery>(
  `SELECT d.id, d.channel_id AS "channelId", d.type, d.test, d.state, d.changes_since AS "changesSince", d.created_at AS "createdAt",
  d.finished_at AS "finishedAt", d.next_attempt_at AS "nextAttemptAt", d.joined_since IS NOT NULL AS "isJoined",
  (SELECT coalesce(jsonb_agg(jsonb_build_object('number', number, 'manual', manual, 'startedAt', started_at, 'durationMs', duration_ms,
    'status', status, 'error', error_class) ORDER BY number), '[]')
    FROM (SELECT * FROM attempts a WHERE ${isAttemptOf("a", "d", "$6")} ORDER BY number DESC LIMIT ${MOST_ATTEMPTS}) a) AS attempts
FROM unnest($1::text[]) AS c(id) CROSS JOIN LATERAL (
  (SELECT * FROM deliveries WHERE channel_id = c.id AND created_at >= $2 AND created_at <= $3 ORDER BY created_at LIMIT ${MOST_OF_CHANNEL})
  UNION ALL
  (SELECT * FROM deliveries WHERE channel_id = c.id AND created_at < $2 AND created_at > $4
    AND type = 'change' AND NOT test ORDER BY created_at DESC LIMIT 1)
  UNION ALL
  (SELECT * FROM deliveries WHERE channel_id = c.id AND created_at > $3 AND created_at < $5
    AND type = 'change' AND NOT test ORDER BY created_at LIMIT 2)) d
ORDER BY d.created_at, d.id`,
  {
    id: text,
    channelId: text,
    type: text,
    test: bool,
    state: oneOf<DeliveryState>(),
    changesSince: nullable(timestamp),
    createdAt: timestamp,
    finishedAt: nullable(timestamp),
    nextAttemptAt: nullable(timestamp),
    isJoined: bool,
    attempts: json<StoredTimelineDelivery["attempts"]>(),
  },
);

interface StoredOwnWrite {
  id: string;
  at: Date;
  method: string;
  status: number;
  endpoint: string | null;
  calendarId: string | null;
  /** For a change in the sandbox. */
  type: string | null;
  /** For a refused write. */
  response: StoredBody;
  errorKeys: string[];
}

/** The requests with which the application wrote events, or played another person in the sandbox. */
export const timelineWrites = statement<StoredOwnWrite>(
  `SELECT id::text, at, method, status::int, endpoint, substring(path from '^/v1/calendars/([^/]+)/') AS "calendarId",
  CASE WHEN endpoint = '/v1/sandbox/changes' THEN ${loggedPart("r", "request_body")} ->> 'type' END AS type,
  coalesce(CASE WHEN status >= 400 THEN ${loggedPart("r", "response_body")} END, 'null') AS response, coalesce(error_keys, '{}') AS "errorKeys"
FROM request_logs r WHERE account_id = $1 AND at >= $2 AND at <= $3 AND method IN ('POST', 'DELETE')
  AND (endpoint LIKE '/v1/calendars/{calendar\\_id}/events%' OR endpoint = '/v1/sandbox/changes') ORDER BY at LIMIT ${MOST_SHOWN + 1}`,
  {
    ...{ id: text, at: timestamp, method: text, status: int4, endpoint: nullable(text), calendarId: nullable(text) },
    ...{ type: nullable(text), response: jsonText<StoredBody>(), errorKeys: texts },
  },
);
