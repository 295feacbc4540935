import { randomUUID } from "node:crypto";
import { type Database, prepared } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import type { Provider } from "@/server/domain/providers";
import { LEASE_S } from "@/server/sync/lease";
import type { ProviderSlots } from "@/server/sync/provider-slots";
import { bySlots, heldRows, isUnpaused, isUnthrottled, slotRows, throttleEnds } from "@/server/sync/slot-rows";

/** A profile that this process has claimed for a sync. Everything written about it later must match the lease. */
export interface ClaimedProfile {
  id: string;
  lease: string;
  applicationId: string;
  provider: Provider;
  /** Its last sync was slow. */
  wasSlow: boolean;
  sealedCredential: string;
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

/**
 * Claims profiles whose sync is due, the longest due of each application first, as far as there are free slots. A claimed profile is
 * due again after its lease. If somebody requests an earlier sync, it is synced again at once.
 */
export async function claimProfiles(db: Database, lanes: readonly ProviderSlots[]): Promise<ClaimedProfile[]> {
  if (lanes.length === 0) return [];
  const lease = randomUUID();
  const rows = await db.query<Omit<ClaimedProfile, "lease">>(claiming, [
    databaseTime(),
    lease,
    JSON.stringify(lanes),
    Math.max(...lanes.map(({ most }) => most)),
    LEASE_S,
  ]);
  return rows.map((row) => ({ ...row, lease }));
}

const isFree = (profile: string) =>
  `connected AND credential IS NOT NULL AND (sync_leased_until IS NULL OR sync_leased_until <= t.now) AND ${isUnthrottled(profile)}`;

const dueOf = (isSlow: string) => `(SELECT id, sync_due_at AS due_at, sync_slow AS is_slow FROM profiles
    WHERE provider = lane.provider AND application_id = a.id AND ${isSlow} AND sync_due_at <= t.now AND ${isFree("profiles")}
    ORDER BY sync_due_at LIMIT lane.most)`;

const claiming = prepared(
  "claim profiles",
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
lane AS (${slotRows("$3")}),
held_places AS (${heldRows("$3")}),
due AS (SELECT lane.provider, a.id AS application_id, one.* FROM lane CROSS JOIN applications a CROSS JOIN t
  CROSS JOIN LATERAL (${dueOf("NOT sync_slow")} UNION ALL ${dueOf("sync_slow")}) one),
${bySlots("due")},
chosen AS (SELECT id FROM turns ORDER BY round, due_at, id LIMIT $4),
held AS (SELECT p.id FROM profiles p, t WHERE p.id IN (SELECT id FROM chosen) AND sync_due_at <= t.now AND ${isFree("p")}
  FOR UPDATE OF p SKIP LOCKED)
UPDATE profiles p SET sync_lease = $2, sync_leased_until = t.now + make_interval(secs => $5), sync_failures = p.sync_failures + 1,
  sync_due_at = t.now + make_interval(secs => least($5 * power(2, least(p.sync_failures, 6)), 3600)),
  poll_due_at = CASE WHEN p.poll_due_at > t.now THEN p.poll_due_at END
FROM held, t WHERE p.id = held.id
RETURNING p.id, p.application_id AS "applicationId", p.provider::text AS provider, p.sync_slow AS "wasSlow", p.credential AS "sealedCredential", p.connection, p.sync_failures AS failures,
  p.sync_error AS "lastError", p.initial_sync_required AS "initialSyncRequired", p.poll_due_at IS NULL AS "isPoll"`,
);

/** Renews a claim. False: it is lost, or the profile was disconnected. */
export async function renewProfile(db: Database, { id, lease }: ClaimedProfile): Promise<boolean> {
  const rows = await db.query<{ id: string }>(
    `WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $4) AS until)
UPDATE profiles SET sync_leased_until = t.until,
  sync_due_at = CASE WHEN sync_due_at < sync_leased_until THEN sync_due_at ELSE greatest(sync_due_at, t.until) END
FROM t WHERE id = $1 AND sync_lease = $2 AND connected RETURNING id`,
    [id, lease, databaseTime(), LEASE_S],
  );
  return rows.length > 0;
}

/** In how many milliseconds the next profile of these providers is due. Null: none. */
export async function nextProfileIn(db: Database, providers: readonly Provider[]): Promise<number | null> {
  const row = await queryOne<{ ms: number | null }>(db.query, soonest, [databaseTime(), providers]);
  return row.ms;
}

const soonest = prepared(
  "next profile",
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
soonest AS ((SELECT greatest(sync_due_at, sync_leased_until) AS at FROM profiles, t
  WHERE connected AND credential IS NOT NULL AND provider::text = ANY ($2::text[]) AND sync_due_at IS NOT NULL
    AND (sync_due_at > t.now OR sync_leased_until IS NULL OR sync_leased_until <= t.now)
    AND ${isUnthrottled("profiles")} AND ${isUnpaused("profiles.provider")}
  ORDER BY sync_due_at LIMIT 1) UNION ALL ${throttleEnds("$2")})
SELECT date_part('epoch', min(soonest.at) - min(t.now))::float8 * 1000 AS ms FROM t LEFT JOIN soonest ON true`,
);
