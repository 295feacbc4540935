import { prepared } from "@/server/db/client";
import { bool, float8, int4, nullable, oneOf, statement, text } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { bySlots, heldRows, isUnpaused, isUnthrottled, slotRows, throttleEnds } from "@/server/sync/slot-rows";

export interface ClaimedProfileRow {
  id: string;
  applicationId: string;
  provider: Provider;
  /** Its last sync was slow. */
  wasSlow: boolean;
  sealedCredential: string | null;
  /** Grows each time the user connects the profile. */
  connection: number;
  /** How many syncs in a row have failed, counting this one, so that a profile that kills its process cannot loop. */
  failures: number;
  /** The error of the last sync. */
  lastError: string | null;
  initialSyncRequired: boolean;
  /** Its calendars are to be listed. Otherwise only those that are stale are read. */
  isPoll: boolean;
}

const isFree = (profile: string) =>
  `connected AND credential IS NOT NULL AND (sync_leased_until IS NULL OR sync_leased_until <= t.now) AND ${isUnthrottled(profile)}`;

const dueOf = (isSlow: string) => `(SELECT id, sync_due_at AS due_at, sync_slow AS is_slow FROM profiles
    WHERE provider = slots.provider AND application_id = a.id AND ${isSlow} AND sync_due_at <= t.now AND ${isFree("profiles")}
    ORDER BY sync_due_at LIMIT slots.most)`;

export const claimDueProfiles = statement<ClaimedProfileRow>(
  prepared(
    "claim profiles",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
slots AS (${slotRows("$3")}),
held_slots AS (${heldRows("$3")}),
due AS (SELECT slots.provider, a.id AS application_id, one.* FROM slots CROSS JOIN applications a CROSS JOIN t
  CROSS JOIN LATERAL (${dueOf("NOT sync_slow")} UNION ALL ${dueOf("sync_slow")}) one),
${bySlots("due")},
chosen AS (SELECT id FROM fitting ORDER BY round, due_at, id LIMIT $4),
held AS (SELECT p.id FROM profiles p, t WHERE p.id IN (SELECT id FROM chosen) AND sync_due_at <= t.now AND ${isFree("p")}
  FOR UPDATE OF p SKIP LOCKED)
UPDATE profiles p SET sync_lease = $2, sync_leased_until = t.now + make_interval(secs => $5), sync_failures = p.sync_failures + 1,
  sync_due_at = t.now + make_interval(secs => least($5 * power(2, least(p.sync_failures, 6)), 3600)),
  poll_due_at = CASE WHEN p.poll_due_at > t.now THEN p.poll_due_at END
FROM held, t WHERE p.id = held.id
RETURNING p.id, p.application_id AS "applicationId", p.provider, p.sync_slow AS "wasSlow", p.credential AS "sealedCredential", p.connection, p.sync_failures AS failures,
  p.sync_error AS "lastError", p.initial_sync_required AS "initialSyncRequired", p.poll_due_at IS NULL AS "isPoll"`,
  ),
  {
    id: text,
    applicationId: text,
    provider: oneOf<Provider>(),
    wasSlow: bool,
    sealedCredential: nullable(text),
    connection: int4,
    failures: int4,
    lastError: nullable(text),
    initialSyncRequired: bool,
    isPoll: bool,
  },
);

export const renewProfileLease = statement<{ id: string }>(
  `WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $4) AS until)
UPDATE profiles SET sync_leased_until = t.until,
  sync_due_at = CASE WHEN sync_due_at < sync_leased_until THEN sync_due_at ELSE greatest(sync_due_at, t.until) END
FROM t WHERE id = $1 AND sync_lease = $2 AND connected RETURNING id`,
  { id: text },
);

/** In milliseconds from now. */
export const nextProfile = statement<{ ms: number | null }>(
  prepared(
    "next profile",
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
soonest AS ((SELECT greatest(sync_due_at, sync_leased_until) AS at FROM profiles, t
  WHERE connected AND credential IS NOT NULL AND provider::text = ANY ($2::text[]) AND sync_due_at IS NOT NULL
    AND (sync_due_at > t.now OR sync_leased_until IS NULL OR sync_leased_until <= t.now)
    AND ${isUnthrottled("profiles")} AND ${isUnpaused("profiles.provider")}
  ORDER BY sync_due_at LIMIT 1) UNION ALL ${throttleEnds("$2")})
SELECT date_part('epoch', min(soonest.at) - min(t.now))::float8 * 1000 AS ms FROM t LEFT JOIN soonest ON true`,
  ),
  { ms: nullable(float8) },
);
