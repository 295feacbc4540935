import { prepared } from "@/server/db/client";
import { waited } from "@/server/db/database-time";
import { locks } from "@/server/db/locks";
import { bool, float8, int4, nullable, oneOf, statement, text, texts } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { isOpen, isWriting } from "@/server/store/events/write-states";
import { isUnpaused, isUnthrottled } from "@/server/store/mailboxes/requests-accepted";
import { bySlots, heldRows, slotRows, throttleEnds } from "@/server/sync/slot-rows";

export interface ClaimedWriteRow {
  /** Mailboxes whose writes were to be claimed, and at which another process is claiming. The same in each row. */
  lost: string[];
  /** Null: nothing was claimed, and this row only tells what was lost. */
  id: string | null;
  calendarId: string;
  eventRow: string;
  /** Raised by each write of the event. A push covers the writes up to this one. */
  revision: number;
  /** Which attempt this is since the last write, 1 for the first. */
  attempt: number;
  notify: boolean;
  removedGuests: string[] | null;
  /** How long it has been waiting, in milliseconds. */
  ageMs: number;
  /** How long it had been due. */
  waitedMs: number;
  profileId: string;
  applicationId: string;
  provider: Provider;
  /** The last write to the profile's provider was slow. */
  wasSlow: boolean;
  sealedCredential: string | null;
  /** The id of the application's own client that its profile was connected by. Null: none. */
  ownClient: string | null;
  /** Grows each time the user connects the profile. */
  connection: number;
}

const isDue = `${isOpen("w")} AND w.due_at <= t.now AND (w.leased_until IS NULL OR w.leased_until <= t.now)`;

/** If few profiles have writes, each one's first is looked up, however many are behind it. If many do, all writes are read. */
const FEW_PROFILES = 100;

/**
 * Selects the due writes of one profile, phrased so that only the index of profiles has this order: with the other index, all profiles'
 * writes would be read.
 */
const dueOf = (profile: string) =>
  `FROM provider_writes w WHERE (w.profile_id, w.due_at) >= (${profile}, '-infinity'::timestamptz)
    AND (w.profile_id, w.due_at) <= (${profile}, t.now) AND ${isDue} ORDER BY w.profile_id, w.due_at`;

/**
 * How many writes a mailbox may have in progress is exact over all processes: a claim locks the rows of its mailboxes, takes nothing at one
 * whose row it did not get or whose `write_claims` another claim has raised since the snapshot that counted, and raises them (ADR 58).
 * The profiles of each application whose first write has been due the longest contain enough writes for every free slot.
 */
export const claimDueWrites = statement<ClaimedWriteRow>(
  prepared(
    "claim provider writes",
    `WITH RECURSIVE t AS MATERIALIZED (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now, pg_advisory_xact_lock_shared(${locks.providerWriteClaims})),
slots AS (${slotRows("$3")}),
held_slots AS (${heldRows("$3")}),
busy AS (SELECT profile_id, count(*)::int AS n FROM provider_writes w, t WHERE ${isWriting("w", "t.now")} GROUP BY profile_id),
waiting AS (SELECT min(profile_id) AS profile_id, 1 AS n FROM provider_writes w WHERE ${isOpen("w")} UNION ALL
  SELECT (SELECT min(w.profile_id) FROM provider_writes w
    WHERE ${isOpen("w")} AND w.profile_id > waiting.profile_id), n + 1
  FROM waiting WHERE profile_id IS NOT NULL AND n <= ${FEW_PROFILES}),
size AS (SELECT max(n) <= ${FEW_PROFILES} AS is_small FROM waiting),
firsts AS (SELECT profile_id, one.due_at FROM waiting CROSS JOIN t
    CROSS JOIN LATERAL (SELECT w.due_at ${dueOf("waiting.profile_id")} LIMIT 1) one WHERE (SELECT is_small FROM size)
  UNION ALL SELECT profile_id, min(due_at) FROM provider_writes w, t
    WHERE ${isDue} AND NOT (SELECT is_small FROM size) GROUP BY profile_id),
fronts AS (SELECT f.profile_id, s.write_claims, s.application_id, s.provider, s.push_slow AS is_slow, slots.most, slots.mailbox_writes - coalesce(b.n, 0) AS free,
    row_number() OVER (PARTITION BY s.provider, s.application_id, s.push_slow ORDER BY f.due_at) AS rank
  FROM firsts f JOIN profile_syncs s ON s.profile_id = f.profile_id JOIN slots ON slots.provider = s.provider
  LEFT JOIN busy b ON b.profile_id = f.profile_id
    CROSS JOIN t
  WHERE s.readable AND coalesce(b.n, 0) < slots.mailbox_writes AND ${isUnthrottled("s")}
    AND f.profile_id <> ALL (ARRAY(SELECT jsonb_array_elements_text($6::jsonb)))),
due AS (SELECT f.provider, f.application_id, f.profile_id, f.write_claims, one.id, one.due_at, f.is_slow
  FROM fronts f CROSS JOIN t CROSS JOIN LATERAL (SELECT w.id, w.due_at ${dueOf("f.profile_id")}, w.id LIMIT f.free) one
  WHERE f.rank <= f.most),
${bySlots("due")},
chosen AS MATERIALIZED (SELECT d.id, d.profile_id, d.write_claims FROM due d
  JOIN (SELECT id FROM fitting ORDER BY turn, due_at, id LIMIT (SELECT $4::int)) f ON f.id = d.id),
locked AS MATERIALIZED (SELECT s.profile_id FROM profile_syncs s JOIN (SELECT DISTINCT profile_id, write_claims FROM chosen) c
    ON c.profile_id = s.profile_id AND c.write_claims = s.write_claims FOR NO KEY UPDATE OF s SKIP LOCKED),
counted AS (UPDATE profile_syncs s SET write_claims = s.write_claims + 1 FROM locked WHERE s.profile_id = locked.profile_id),
held AS (SELECT w.id, w.due_at FROM provider_writes w, t WHERE w.id IN (SELECT id FROM chosen JOIN locked ON locked.profile_id = chosen.profile_id)
  AND ${isDue} FOR UPDATE OF w SKIP LOCKED),
claimed AS (UPDATE provider_writes w SET attempts = w.attempts + 1, lease = $2, leased_until = t.now + make_interval(secs => $5),
  due_at = t.now + make_interval(secs => least($5 * power(2, least(w.attempts, 5)), 1800))
FROM held, t, profiles p, profile_syncs s WHERE w.id = held.id AND p.id = w.profile_id AND s.profile_id = w.profile_id
RETURNING w.id::text, w.calendar_id AS "calendarId", w.event_row AS "eventRow", w.revision, w.attempts AS attempt, w.notify, w.removed_guests AS "removedGuests",
  ${waited("t.now", "w.created_at")} AS "ageMs", ${waited("t.now", "held.due_at")} AS "waitedMs", w.profile_id AS "profileId",
  p.application_id AS "applicationId", p.provider, s.push_slow AS "wasSlow", p.credential AS "sealedCredential", p.oauth_client_id AS "ownClient", p.connection)
SELECT l.lost, claimed.* FROM (SELECT ARRAY(SELECT DISTINCT profile_id FROM chosen WHERE profile_id NOT IN (SELECT profile_id FROM locked)) AS lost) l
  LEFT JOIN claimed ON true`,
  ),
  {
    lost: texts,
    id: nullable(text),
    calendarId: text,
    eventRow: text,
    revision: int4,
    attempt: int4,
    notify: bool,
    removedGuests: nullable(texts),
    ageMs: float8,
    waitedMs: float8,
    profileId: text,
    applicationId: text,
    provider: oneOf<Provider>(),
    wasSlow: bool,
    sealedCredential: nullable(text),
    ownClient: nullable(text),
    connection: int4,
  },
);

export const renewWriteLease = statement<{ id: string }>(
  `WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $4) AS until)
UPDATE provider_writes SET leased_until = t.until,
  due_at = CASE WHEN due_at < leased_until THEN due_at ELSE greatest(due_at, t.until) END
FROM t WHERE id = $1::bigint AND lease = $2 RETURNING id::text`,
  { id: text },
);

const open = `${isOpen("w")} AND EXISTS (SELECT FROM profile_syncs s WHERE s.profile_id = w.profile_id
    AND s.readable AND s.provider::text = ANY ($3::text[]) AND ${isUnthrottled("s")} AND ${isUnpaused("s.provider")})`;

/** In milliseconds from now. $3: the providers at which writes may be begun. An event that is written during its push is due before its lease ends. */
export const nextWrite = statement<{ ms: number | null }>(
  prepared(
    "next provider write",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
soonest AS (
  (SELECT due_at AS at FROM provider_writes w, t WHERE (leased_until IS NULL OR leased_until <= due_at) AND ${open} ORDER BY due_at LIMIT 1)
  UNION ALL (SELECT leased_until FROM provider_writes w, t WHERE leased_until > due_at AND ${open} ORDER BY leased_until LIMIT 1)
  UNION ALL ${throttleEnds("$2")})
SELECT date_part('epoch', min(soonest.at) - min(t.now))::float8 * 1000 AS ms FROM t LEFT JOIN soonest ON true`,
  ),
  { ms: nullable(float8) },
);
