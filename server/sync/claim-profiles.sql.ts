import { prepared } from "@/server/db/client";
import { waited } from "@/server/db/database-time";
import { bool, float8, int4, nullable, oneOf, type Statement, statement, text, texts } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { isUnpaused, isUnthrottled } from "@/server/store/mailboxes/requests-accepted";
import { bySlots, heldRows, slotRows, throttleEnds } from "@/server/sync/slot-rows";

export interface ClaimedProfileRow {
  /** Those that were to be claimed and that another process is claiming. The same in each row. */
  lost: string[];
  /** Null: nothing was claimed, and this row only tells what was lost. */
  id: string | null;
  applicationId: string;
  provider: Provider;
  /** Its last sync was slow. */
  wasSlow: boolean;
  sealedCredential: string | null;
  /** The id of the application's own client that it was connected by. Null: none. */
  ownClient: string | null;
  /** Grows each time the user connects the profile. */
  connection: number;
  /** How many syncs in a row have failed, counting this one, so that a profile that kills its process cannot loop. */
  failures: number;
  /** The error of the last sync. */
  lastError: string | null;
  initialSyncRequired: boolean;
  /** Its calendars are to be listed. Otherwise only those that are stale are read. */
  isPoll: boolean;
  /** How long it had been due. */
  waitedMs: number;
}

/**
 * In a claim `$6` are those that another process is claiming, as JSON: looking for others is not in vain. PostgreSQL looks into the values of
 * an array, and into a limit, before it plans, and would plan the whole claim anew each time, which takes longer than the claim.
 */
const isLeft = "s.profile_id <> ALL (ARRAY(SELECT jsonb_array_elements_text($6::jsonb)))";

/** First syncs: `$7` are the only profiles, as JSON in the same way; null: all. */
const isWanted =
  "((SELECT $7::jsonb) IS NULL OR s.profile_id = ANY (ARRAY(SELECT jsonb_array_elements_text($7::jsonb))))";

const isFree = `s.readable AND (s.sync_leased_until IS NULL OR s.sync_leased_until <= t.now) AND ${isUnthrottled("s")}`;

/** If few profiles of a provider are due, they are read in the order of their times. If many are, the first of each application are. */
const FEW_DUE = 100;

/** The mailboxes that a lane is for, the places of those that were slow (`is_slow`), and its queues for an application. */
interface Lane {
  isFirst: boolean;
  isSlow: string;
  queues: readonly string[];
}

const usual: Lane = { isFirst: false, isSlow: "s.sync_slow", queues: ["NOT s.sync_slow", "s.sync_slow"] };
const first: Lane = { isFirst: true, isSlow: "false", queues: ["true"] };

const isIn = ({ isFirst }: Lane) => (isFirst ? `s.first_sync AND ${isWanted}` : "NOT s.first_sync");

const dueOf = (lane: Lane) => (queue: string) =>
  `(SELECT s.profile_id AS id, s.sync_due_at AS due_at, ${lane.isSlow} AS is_slow FROM profile_syncs s
    WHERE s.provider = slots.provider AND s.application_id = a.id AND ${isIn(lane)} AND ${queue} AND s.sync_due_at <= t.now AND ${isFree} AND ${isLeft}
    ORDER BY s.sync_due_at LIMIT slots.most)`;

const claimDue = (lane: Lane) => `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
slots AS (${slotRows("$3")}),
held_slots AS (${heldRows("$3")}),
soonest AS MATERIALIZED (SELECT one.* FROM slots CROSS JOIN t CROSS JOIN LATERAL (
  SELECT s.provider, s.application_id, s.profile_id AS id, s.sync_due_at AS due_at, ${lane.isSlow} AS is_slow FROM profile_syncs s
  WHERE s.provider = slots.provider AND ${isIn(lane)} AND s.sync_due_at <= t.now AND ${isFree} AND ${isLeft} ORDER BY s.sync_due_at LIMIT ${FEW_DUE + 1}) one),
crowded AS (SELECT provider FROM soonest GROUP BY provider HAVING count(*) > ${FEW_DUE}),
due AS (SELECT * FROM soonest WHERE provider NOT IN (SELECT provider FROM crowded) UNION ALL
  SELECT slots.provider, a.id AS application_id, one.* FROM slots JOIN crowded ON crowded.provider = slots.provider
  CROSS JOIN applications a CROSS JOIN t CROSS JOIN LATERAL (${lane.queues.map(dueOf(lane)).join(" UNION ALL ")}) one),
${bySlots("due")},
chosen AS (SELECT id FROM fitting ORDER BY turn, due_at, id LIMIT (SELECT $4::int)),
held AS (SELECT s.profile_id, s.sync_due_at AS due_at FROM profile_syncs s, t WHERE s.profile_id IN (SELECT id FROM chosen) AND s.sync_due_at <= t.now AND ${isFree}
  FOR UPDATE OF s SKIP LOCKED),
claimed AS (UPDATE profile_syncs s SET sync_lease = $2, sync_leased_until = t.now + make_interval(secs => $5), sync_failures = s.sync_failures + 1,
  sync_due_at = t.now + make_interval(secs => least($5 * power(2, least(s.sync_failures, 6)), 3600)),
  poll_due_at = CASE WHEN s.poll_due_at > t.now THEN s.poll_due_at END
FROM held, t, profiles p WHERE s.profile_id = held.profile_id AND p.id = s.profile_id
RETURNING p.id, p.application_id AS "applicationId", p.provider, s.sync_slow AS "wasSlow", p.credential AS "sealedCredential", p.oauth_client_id AS "ownClient", p.connection, s.sync_failures AS failures,
  s.sync_error AS "lastError", p.initial_sync_required AS "initialSyncRequired", s.poll_due_at IS NULL AS "isPoll",
  ${waited("t.now", "held.due_at")} AS "waitedMs")
SELECT l.lost, claimed.* FROM (SELECT ARRAY(SELECT id FROM chosen WHERE id NOT IN (SELECT profile_id FROM held)) AS lost) l LEFT JOIN claimed ON true`;

const claimed: Statement<ClaimedProfileRow>["columns"] = {
  lost: texts,
  id: nullable(text),
  applicationId: text,
  provider: oneOf<Provider>(),
  wasSlow: bool,
  sealedCredential: nullable(text),
  ownClient: nullable(text),
  connection: int4,
  failures: int4,
  lastError: nullable(text),
  initialSyncRequired: bool,
  isPoll: bool,
  waitedMs: float8,
};

export const claimDueProfiles = statement<ClaimedProfileRow>(prepared("claim profiles", claimDue(usual)), claimed);

/** As `claimDueProfiles`, of profiles of which no sync was finished yet. */
export const claimFirstSyncs = statement<ClaimedProfileRow>(prepared("claim first syncs", claimDue(first)), claimed);

export const renewProfileLease = statement<{ id: string }>(
  prepared(
    "renew profile lease",
    `WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $4) AS until)
UPDATE profile_syncs SET sync_leased_until = t.until,
  sync_due_at = CASE WHEN sync_due_at < sync_leased_until THEN sync_due_at ELSE greatest(sync_due_at, t.until) END
FROM t WHERE profile_id = $1 AND sync_lease = $2 AND readable RETURNING profile_id AS id`,
  ),
  { id: text },
);

/** In milliseconds from now. $3 and $4: the providers with what may be begun there, first syncs or the others. */
export const nextProfile = statement<{ ms: number | null }>(
  prepared(
    "next profile",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
soonest AS (SELECT one.at FROM t, unnest((SELECT $3::text[]), (SELECT $4::boolean[])) AS asked(name, is_first) CROSS JOIN LATERAL (
    SELECT greatest(sync_due_at, sync_leased_until) AS at FROM profile_syncs s
    WHERE provider = asked.name::provider AND readable AND first_sync = asked.is_first AND sync_due_at IS NOT NULL
      AND (sync_due_at > t.now OR sync_leased_until IS NULL OR sync_leased_until <= t.now) AND ${isUnthrottled("s")}
    ORDER BY sync_due_at LIMIT 1) one WHERE ${isUnpaused("asked.name::provider")}
  UNION ALL ${throttleEnds("$2")})
SELECT date_part('epoch', min(soonest.at) - min(t.now))::float8 * 1000 AS ms FROM t LEFT JOIN soonest ON true`,
  ),
  { ms: nullable(float8) },
);
