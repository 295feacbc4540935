import { isAskedByStaff } from "@/server/db/cancelled";
import { bool, command, float8, int4, json, nullable, oneOf, statement, text, timestamp } from "@/server/db/statement";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";
import { placeTime } from "@/server/services/staff/lists/paging";
import { isOfDays } from "@/server/store/deliveries/days";

const SHOWN = 50;
const now = "coalesce($2::timestamptz, clock_timestamp())";

export interface StoredReplay {
  id: string;
  state: ReplayRow["state"];
  filters: ReplayRow["filters"];
  startedBy: string;
  createdAt: Date;
  finishedAt: Date | null;
  total: number;
  /** Deliveries processed by now; `skipped` of them could not be requested. */
  taken: number;
  skipped: number;
  /** How many of those were skipped because their channel is closed. */
  closed: number;
  allTaken: boolean;
  /** First attempts that have begun. */
  begun: number;
  takenBack: number;
  /** Requested attempts that have not begun; attempts that have begun and not ended. */
  waiting: number;
  underWay: number;
}

/** A replay that was begun by a process of an older version has no tallies until something is counted. */
const reading = `SELECT r.id, r.state, r.total, r.taken, r.skipped, r.closed, r.all_taken AS "allTaken", r.filters,
  r.created_at AS "createdAt", r.finished_at AS "finishedAt", coalesce(o.name, r.operator_id) AS "startedBy", coalesce(t.begun, 0) AS begun,
  coalesce(t.taken_back, 0) AS "takenBack",
  w.waiting, w.under_way AS "underWay"
FROM replays r LEFT JOIN replay_tallies t ON t.replay_id = r.id LEFT JOIN operators o ON o.id = r.operator_id
CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE attempts = replay_from))::int AS waiting,
    (count(*) FILTER (WHERE attempts > replay_from))::int AS under_way
  FROM deliveries WHERE replay_id = r.id AND state = 'pending' AND replay_from IS NOT NULL) w`;

const replay = {
  id: text,
  state: oneOf<ReplayRow["state"]>(),
  filters: json<ReplayRow["filters"]>(),
  startedBy: text,
  createdAt: timestamp,
  finishedAt: nullable(timestamp),
  total: int4,
  taken: int4,
  skipped: int4,
  closed: int4,
  allTaken: bool,
  begun: int4,
  takenBack: int4,
  waiting: int4,
  underWay: int4,
};

export const replayById = statement<StoredReplay>(`${reading} WHERE r.id = $1`, replay);

/** All replays, or those that were narrowed by name to one of some applications. */
export const newestReplays = statement<StoredReplay>(
  `${reading} WHERE $1::text[] IS NULL OR r.filters ->> 'application' = ANY ($1) ORDER BY r.created_at DESC, r.id DESC LIMIT ${SHOWN}`,
  replay,
);

export const insertReplay =
  command(`WITH replay AS (INSERT INTO replays (id, operator_id, filters, total, due_at, created_at)
  SELECT $1, $2, $3, $4, now, now FROM (SELECT coalesce($5::timestamptz, clock_timestamp()) AS now) t RETURNING id)
INSERT INTO replay_tallies (replay_id) SELECT id FROM replay`);

export const stopReplay = statement<{ id: string }>(
  `UPDATE replays SET state = 'cancelled', finished_at = ${now} WHERE id = $1 AND state = 'running' RETURNING id`,
  { id: text },
);

/** Withdraws requests that have not begun: the delivery returns to its earlier state. */
const unasked = `state = coalesce(replay_state, 'pending'), replay_from = NULL, waits = true,
next_attempt_at = CASE WHEN replay_state IS NULL THEN scheduled_at END`;

export const takeBackDelivery = statement<{ state: DeliveryState }>(
  `UPDATE deliveries SET ${unasked} WHERE id = $1 AND state = 'pending' RETURNING state`,
  { state: oneOf<DeliveryState>() },
);

export const takeBackDeliveries = statement<{ isBegun: boolean }>(
  `WITH back AS (SELECT id, attempts > replay_from AS "isBegun" FROM deliveries
  WHERE replay_id = $1 AND state = 'pending' AND replay_from IS NOT NULL
    AND coalesce(leased_until <= ${now}, true) ORDER BY id FOR UPDATE)
UPDATE deliveries d SET ${unasked} FROM back WHERE d.id = back.id AND d.state = 'pending' RETURNING back."isBegun"`,
  { isBegun: bool },
);

export const countTakenBack =
  command(`INSERT INTO replay_tallies AS t (replay_id, taken_back) SELECT id, 1 FROM replays WHERE id = $1
ON CONFLICT (replay_id) DO UPDATE SET taken_back = t.taken_back + 1`);

export interface RunningReplay {
  id: string;
  filters: unknown;
  startedAt: string;
  positionAt: string | null;
  positionId: string | null;
  allTaken: boolean;
  open: number;
}

/** The lock excludes everybody except those who begin its tally together with its deliveries: they are waited for. */
export const lockDueReplay = statement<RunningReplay>(
  `SELECT r.id, r.filters, ${placeTime("r.created_at")} AS "startedAt", ${placeTime("r.position_at")} AS "positionAt",
  r.position_id AS "positionId", r.all_taken AS "allTaken", (SELECT count(*)::int FROM deliveries d
    WHERE d.replay_id = r.id AND d.state = 'pending' AND d.replay_from IS NOT NULL) AS open
FROM replays r WHERE r.state = 'running' AND r.due_at <= coalesce($1::timestamptz, clock_timestamp())
ORDER BY r.due_at LIMIT 1 FOR NO KEY UPDATE OF r SKIP LOCKED`,
  {
    id: text,
    filters: json<unknown>(),
    startedAt: text,
    positionAt: nullable(text),
    positionId: nullable(text),
    allTaken: bool,
    open: int4,
  },
);

/** The milliseconds until the next replay is due. */
export const nextReplayDue = statement<{ ms: number | null }>(
  `SELECT date_part('epoch', min(due_at) - coalesce($1::timestamptz, clock_timestamp())) * 1000 AS ms FROM replays WHERE state = 'running'`,
  { ms: nullable(float8) },
);

export const finishReplay = command(`UPDATE replays SET state = 'done', finished_at = ${now} WHERE id = $1`);

export const postponeReplay = command(`UPDATE replays SET due_at = ${now} + make_interval(secs => $3) WHERE id = $1`);

export const advanceReplay =
  command(`UPDATE replays SET taken = taken + $2::int, position_at = coalesce($3::timestamptz, position_at), position_id = coalesce($4, position_id),
all_taken = $5, skipped = skipped + $6::int, closed = closed + $7::int WHERE id = $1`);

export interface ReplayableDelivery {
  id: string;
  channelId: string;
  state: DeliveryState;
  attempts: number;
  isManual: boolean;
  isUnderWay: boolean;
}

/** In the days from $3 on and before $4. */
export const lockReplayable = statement<ReplayableDelivery>(
  `SELECT id, channel_id AS "channelId", state, attempts, ${isAskedByStaff("deliveries")} AS "isManual",
  state = 'pending' AND coalesce(leased_until > ${now}, false) AS "isUnderWay"
FROM deliveries WHERE id = ANY ($1) AND ${isOfDays("deliveries", "$3", "$4")} ORDER BY id FOR UPDATE`,
  { id: text, channelId: text, state: oneOf<DeliveryState>(), attempts: int4, isManual: bool, isUnderWay: bool },
);

export const lockOpenChannels = statement<{ id: string }>(
  "SELECT id FROM channels WHERE id = ANY ($1) AND closed_at IS NULL ORDER BY id FOR SHARE",
  { id: text },
);

export const makeDue =
  command(`UPDATE deliveries SET replay_from = attempts, replay_id = $3, replay_state = nullif(state, 'pending'),
  scheduled_at = CASE WHEN state = 'pending' THEN CASE WHEN replay_from IS NULL THEN next_attempt_at ELSE scheduled_at END END, state = 'pending',
  next_attempt_at = ${now}, waits = false, lease = NULL, leased_until = NULL
WHERE id = ANY ($1) AND ${isOfDays("deliveries", "$4", "$5")}`);
