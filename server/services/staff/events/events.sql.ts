import {
  bool,
  type Column,
  int4,
  json,
  jsonText,
  nullable,
  oneOf,
  statement,
  text,
  textOf,
  texts,
  timestamp,
} from "@/server/db/statement";
import type { EventKey } from "@/server/domain/event-keys";
import type { ChangedField, ChangeKind } from "@/server/domain/events/change-kind";
import type { WriteState } from "@/server/domain/provider-writes";
import type { Provider } from "@/server/domain/providers";
import type { Rule } from "@/server/domain/recurrence/rule";
import { caldavServerOf } from "@/server/services/staff/accounts/caldav-server";
import type { StoredBody } from "@/server/services/staff/requests/shapes";
import { isWaitingForReconnect, stateOf } from "@/server/store/events/write-states";
import { loggedPart } from "@/server/store/request-logs/request-logs.sql";

/** How many requests and changes are shown at most; the page says when there are more. */
export const MOST_SHOWN = 100;
/** How many of a calendar's newest changes are read to find those of an event: they have no index by event. */
export const MOST_CHANGES_READ = 10_000;
export interface StoredEvent {
  id: string;
  /** That of its first occurrence, as reads name it. */
  uid: string;
  eventId: string | null;
  calendarId: string;
  calendarName: string;
  accountId: string;
  profileId: string;
  provider: Provider;
  /** What its CalDAV server is called. Null: it is at another provider. */
  server: string | null;
  starts: Date;
  ends: Date;
  allDay: boolean;
  tzid: string | null;
  calendarTzid: string;
  rule: Rule | null;
  rules: number | null;
  rrule: string | null;
  createdAt: Date;
  deletedAt: Date | null;
  pushedAt: Date | null;
  pushAttempts: number | null;
  /** Of the write that its provider does not have. Null: there is none. */
  writeId: string | null;
  writeState: WriteState;
  waitsForReconnect: boolean;
  writeAttempts: number | null;
  writtenAt: Date | null;
  dueAt: Date | null;
  refusedAt: Date | null;
  revertedAt: Date | null;
  lastError: string | null;
}

/**
 * The event $1, by the id of its row or by the uid of one of its occurrences, of the applications $2 (null: any). Deleted
 * ones count.
 */
export const eventByUid = statement<StoredEvent>(
  `SELECT e.id, coalesce(e.first_uid, e.id) AS uid, e.event_id AS "eventId", c.id AS "calendarId", c.name AS "calendarName",
  c.account_id AS "accountId", c.profile_id AS "profileId", p.provider, ${caldavServerOf("p")} AS server,
  e.starts, e.ends, e.all_day AS "allDay", e.tzid,
  coalesce(c.tzid, a.default_tzid) AS "calendarTzid", e.recurrence -> 'rule' AS rule,
  jsonb_array_length(e.ical_recurrence -> 'rrules') AS rules, e.ical_recurrence #>> '{rrules,0}' AS rrule,
  e.created_at AS "createdAt", e.deleted_at AS "deletedAt", e.pushed_at AS "pushedAt", e.push_attempts AS "pushAttempts",
  w.id::text AS "writeId", ${stateOf("w", "clock_timestamp()")} AS "writeState",
  coalesce(${isWaitingForReconnect("w", { profile: "p", sync: "s" })}, false) AS "waitsForReconnect", w.attempts AS "writeAttempts",
  w.created_at AS "writtenAt", w.due_at AS "dueAt", w.refused_at AS "refusedAt", w.reverted_at AS "revertedAt", w.last_error AS "lastError"
FROM (SELECT calendar_id, id FROM events WHERE id = $1 AND deleted_at IS NULL
  UNION ALL SELECT calendar_id, id FROM events WHERE id = $1 AND deleted_at IS NOT NULL
  UNION ALL SELECT calendar_id, master_id FROM occurrences WHERE uid = $1 AND uid <> master_id LIMIT 1) n
CROSS JOIN LATERAL (SELECT * FROM events WHERE calendar_id = n.calendar_id AND id = n.id OFFSET 0) e
JOIN calendars c ON c.id = e.calendar_id JOIN accounts a ON a.id = c.account_id
JOIN profiles p ON p.id = c.profile_id JOIN profile_syncs s ON s.profile_id = p.id
LEFT JOIN LATERAL (SELECT * FROM provider_writes WHERE calendar_id = e.calendar_id AND event_row = e.id OFFSET 0) w ON true
WHERE $2::text[] IS NULL OR a.application_id = ANY ($2)`,
  {
    ...{ id: text, uid: text, eventId: nullable(text), calendarId: text, calendarName: text, accountId: text },
    ...{ profileId: text, provider: oneOf<Provider>(), server: nullable(text) },
    ...{ starts: timestamp, ends: timestamp, allDay: bool, tzid: nullable(text), calendarTzid: text },
    ...{ rule: nullable(json<Rule>()), rules: nullable(int4), rrule: nullable(text) },
    ...{ createdAt: timestamp, deletedAt: nullable(timestamp) },
    ...{ pushedAt: nullable(timestamp), pushAttempts: nullable(int4), writeId: nullable(text) },
    ...{ writeState: textOf<WriteState>(), waitsForReconnect: bool, writeAttempts: nullable(int4) },
    ...{ writtenAt: nullable(timestamp), dueAt: nullable(timestamp), refusedAt: nullable(timestamp) },
    ...{ revertedAt: nullable(timestamp), lastError: nullable(text) },
  },
);

export interface StoredEventRequest {
  id: string;
  at: Date;
  method: string;
  path: string;
  endpoint: string | null;
  status: number;
  /** Of the sandbox: the type of the change. Of an assistant: the tool. */
  type: string | null;
  /** Of a refused request. */
  response: StoredBody;
  errorKeys: string[];
  /** Of all events that it names, and of its booking. */
  keys: EventKey[];
}

/**
 * The requests of the account $1 with one of the keys $2 since $3, the newest first. `OFFSET 0`: PostgreSQL would
 * otherwise read all requests of the account by their times.
 */
export const requestsOfEvent = statement<StoredEventRequest>(
  `SELECT id::text, at, method, path, endpoint, status::int,
  CASE WHEN endpoint IN ('/v1/sandbox/changes', '/mcp') THEN coalesce(${loggedPart("r", "request_body")} ->> 'type', ${loggedPart("r", "request_body")} ->> 'tool') END AS type,
  coalesce(CASE WHEN status >= 400 THEN ${loggedPart("r", "response_body")} END, 'null') AS response, coalesce(error_keys, '{}') AS "errorKeys",
  event_keys::text[] AS keys
FROM (SELECT * FROM request_logs WHERE event_keys && $2::int8[] OFFSET 0) r WHERE account_id = $1 AND at >= $3 ORDER BY at DESC LIMIT ${MOST_SHOWN + 1}`,
  {
    ...{ id: text, at: timestamp, method: text, path: text, endpoint: nullable(text), status: int4 },
    ...{ type: nullable(text), response: jsonText<StoredBody>(), errorKeys: texts, keys: texts },
  },
);

export interface StoredEventChange {
  at: Date | null;
  kind: ChangeKind | null;
  fields: ChangedField[];
  own: boolean | null;
  occurrenceDate: string | null;
  /** How many changes of the calendar were read. */
  read: number;
}

const changed: Column<ChangedField[]> = { type: "_text", isNullable: false };

/** The changes of the event $2 among the newest of the calendar $1 since $3, the newest first. A row without a change says that there is none. */
export const changesOfEvent = statement<StoredEventChange>(
  `WITH newest AS MATERIALIZED (SELECT * FROM event_changes WHERE calendar_id = $1 AND at >= $3 ORDER BY number DESC LIMIT ${MOST_CHANGES_READ})
SELECT c.at, c.kind, coalesce(c.fields, '{}') AS fields, c.own, c.occurrence_date::text AS "occurrenceDate", n.read
FROM (SELECT count(*)::int AS read FROM newest) n LEFT JOIN newest c ON c.event_row = $2 ORDER BY c.number DESC LIMIT ${MOST_SHOWN + 1}`,
  {
    ...{ at: nullable(timestamp), kind: nullable(textOf<ChangeKind>()), fields: changed, own: nullable(bool) },
    ...{ occurrenceDate: nullable(text), read: int4 },
  },
);

/** The notifications of the channels $1 that a write of the event with one of the uids $2 was refused, created from $3 to $4. */
export const refusalNotices = statement<{ id: string }>(
  `SELECT d.id FROM unnest($1::text[]) AS c(id) CROSS JOIN LATERAL (SELECT id, body FROM deliveries
  WHERE channel_id = c.id AND created_at >= $3 AND created_at < $4 AND type = 'write_refused') d WHERE strpos(d.body, $2) > 0`,
  { id: text },
);
