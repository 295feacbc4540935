import { isAskedByStaff } from "@/server/db/cancelled";
import {
  bool,
  command,
  int4,
  int8,
  jsonText,
  nullable,
  oneOf,
  statement,
  text,
  timestamp,
} from "@/server/db/statement";
import { rowColumns, type StoredRow, storedRow } from "@/server/services/staff/deliveries/rows";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";
import { isActiveSecret } from "@/server/store/applications/applications.sql";
import { followUps } from "@/server/store/channels/outbox";
import { isAttemptOf } from "@/server/store/deliveries/attempts-of";
import { isOfDays } from "@/server/store/deliveries/days";

const now = "coalesce($2::timestamptz, clock_timestamp())";
/** Returns the condition for the delivery $1, in the days from $3 on and before $4. */
const isMeant = (d: string) => `${d}.id = $1 AND ${isOfDays(d, "$3", "$4")}`;

export interface StoredDetail extends StoredRow {
  body: string;
  underWay: boolean;
  closedAt: Date | null;
  closedBy: string | null;
  /** Since when it announces changes; null: it announces none. */
  changesSince: Date | null;
  /** Which changes its channel is notified of. `calendarIds` null: those in all calendars. */
  ofChannel: { calendarIds: string[] | null; onlyManaged: boolean | null };
  /** When the next attempt of the schedule is due, whatever staff requested. */
  scheduledAt: Date | null;
  compatibilityMode: boolean;
  secrets: number;
}

export const deliveryById = statement<StoredDetail>(
  `SELECT ${rowColumns(now)}, d.body,
  d.state = 'pending' AND coalesce(d.leased_until > ${now}, false) AS "underWay", c.closed_at AS "closedAt",
  c.closed_by AS "closedBy", CASE WHEN d.replay_from IS NULL THEN d.next_attempt_at ELSE d.scheduled_at END AS "scheduledAt", d.changes_since AS "changesSince",
  json_build_object('calendarIds', CASE WHEN NOT c.all_calendars THEN c.calendar_ids END, 'onlyManaged', c.only_managed) AS "ofChannel", p.compatibility_mode AS "compatibilityMode",
  (SELECT count(*)::int FROM client_secrets s WHERE s.application_id = p.id AND ${isActiveSecret(now)}) AS secrets
FROM deliveries d JOIN channels c ON c.id = d.channel_id JOIN applications p ON p.id = d.application_id LEFT JOIN accounts o ON o.id = d.account_id WHERE ${isMeant("d")}`,
  {
    ...storedRow,
    body: text,
    underWay: bool,
    closedAt: nullable(timestamp),
    closedBy: nullable(text),
    scheduledAt: nullable(timestamp),
    changesSince: nullable(timestamp),
    ofChannel: jsonText<StoredDetail["ofChannel"]>(),
    compatibilityMode: bool,
    secrets: int4,
  },
);

interface StoredProgress {
  state: DeliveryState;
  waiting: boolean;
  number: number | null;
  status: number | null;
  errorClass: string | null;
  durationMs: number | null;
}

/** Attempted from $5 on. A test is waited for as soon as somebody has sent it. */
export const progressOf = statement<StoredProgress>(
  `SELECT d.state, d.state = 'pending' AND (d.replay_from IS NOT NULL OR d.test AND d.attempts = 0 OR coalesce(d.leased_until > ${now}, false)) AS waiting,
  a.number, a.status, a.error_class AS "errorClass", a.duration_ms AS "durationMs"
FROM deliveries d LEFT JOIN LATERAL (SELECT * FROM attempts a WHERE ${isAttemptOf("a", "d", "$5")} ORDER BY number DESC LIMIT 1) a ON true WHERE ${isMeant("d")}`,
  {
    state: oneOf<DeliveryState>(),
    waiting: bool,
    number: nullable(int4),
    status: nullable(int4),
    errorClass: nullable(text),
    durationMs: nullable(int4),
  },
);

export interface CancellableDelivery {
  id: string;
  channelId: string;
  changesSince: Date | null;
  state: DeliveryState;
  isManual: boolean;
  /** A requested attempt is in progress, and the delivery itself is pending. */
  isAwaited: boolean;
  /** The bulk retry that requested an attempt which has not begun. */
  replayId: string | null;
}

export const lockCancellable = statement<CancellableDelivery>(
  `SELECT id, channel_id AS "channelId", changes_since AS "changesSince", state,
  ${isAskedByStaff("deliveries")} AS "isManual",
  replay_state IS NULL AND coalesce(leased_until > ${now}, false) AS "isAwaited",
  CASE WHEN attempts = replay_from THEN replay_id END AS "replayId"
FROM deliveries WHERE ${isMeant("deliveries")} FOR UPDATE`,
  {
    id: text,
    channelId: text,
    changesSince: nullable(timestamp),
    state: oneOf<DeliveryState>(),
    isManual: bool,
    isAwaited: bool,
    replayId: nullable(text),
  },
);

/** Later changes that waited for the end of a cancelled delivery are not cancelled with it. */
export const followCancelled = statement<{ id: string }>(
  followUps(`SELECT account_id, channel_id, joined_since AS since, ${now} AS now
  FROM deliveries WHERE id = $1 AND state = 'pending'`),
  { id: int8 },
);

/** The lease stays, because it identifies the attempt in progress. */
export const cancelPending =
  command(`UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL, joined_since = NULL, replay_from = NULL,
  finished_at = ${now} WHERE id = $1 AND state = 'pending'`);

/** The channel's next notification announces what the cancelled one would have announced ("Events", 2). */
export const reachBack = command(
  "UPDATE channels SET unnotified_since = least(unnotified_since, $2) WHERE id = $1 AND closed_at IS NULL",
);
