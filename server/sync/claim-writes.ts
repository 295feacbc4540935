import { randomUUID } from "node:crypto";
import { type Database, prepared } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { CalendarProvider } from "@/server/domain/calendars/guest-rules";
import type { Lane } from "@/server/sync/lanes";
import { LEASE_S } from "@/server/sync/lease";

/** At most so many writes of one profile at once, over all processes. */
export const MOST_PER_PROFILE = 4;
const CLAIM_LOCK = 7_302_623;

/** An event whose provider has to hear of it, that this process may tell now; what is written about it later must show the lease. */
export interface ClaimedWrite {
  id: string;
  lease: string;
  eventRow: string;
  /** Grows with each write of the event: what was pushed is only that far. */
  round: number;
  /** Which attempt this is since the last write, 1 for the first. */
  attempt: number;
  notify: boolean;
  removedGuests: string[];
  /** How long it is waiting already, in milliseconds. */
  ageMs: number;
  profileId: string;
  provider: CalendarProvider;
  sealedCredential: string;
}

/** Takes writes that are due, the longest due first. While one is leased it is due after the lease: a process that dies loses nothing. */
export async function claimWrites(db: Database, lanes: readonly Lane[]): Promise<ClaimedWrite[]> {
  if (lanes.length === 0) return [];
  const lease = randomUUID();
  const most = Math.max(...lanes.map((lane) => lane.most));
  const values = [databaseTime(), lease, JSON.stringify(lanes), most, LEASE_S, MOST_PER_PROFILE];
  const rows = await db.transaction((query) => query<Omit<ClaimedWrite, "lease">>(claiming, values), CLAIM_LOCK);
  return rows.map((row) => ({ ...row, lease }));
}

const isDue = "w.refused_at IS NULL AND w.due_at <= t.now AND (w.leased_until IS NULL OR w.leased_until <= t.now)";

const claiming = prepared(
  "claim provider writes",
  `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now),
busy AS (SELECT profile_id, count(*)::int AS n FROM provider_writes, t WHERE leased_until > t.now GROUP BY profile_id),
ranked AS (SELECT w.id, w.profile_id, p.provider, w.due_at,
    row_number() OVER (PARTITION BY w.profile_id ORDER BY w.due_at, w.id) AS place
  FROM provider_writes w CROSS JOIN t JOIN profiles p ON p.id = w.profile_id
  WHERE ${isDue} AND p.connected AND p.credential IS NOT NULL),
allowed AS (SELECT r.id, r.due_at, lane.most, row_number() OVER (PARTITION BY r.provider ORDER BY r.due_at, r.id) AS place
  FROM ranked r JOIN jsonb_to_recordset($3::jsonb) AS lane(provider text, most int) ON lane.provider = r.provider::text
  LEFT JOIN busy b ON b.profile_id = r.profile_id WHERE r.place <= $6 - coalesce(b.n, 0)),
chosen AS (SELECT id FROM allowed WHERE place <= most ORDER BY due_at, id LIMIT $4),
held AS (SELECT w.id FROM provider_writes w, t WHERE w.id IN (SELECT id FROM chosen) AND ${isDue} FOR UPDATE OF w SKIP LOCKED)
UPDATE provider_writes w SET attempts = w.attempts + 1, lease = $2, leased_until = t.now + make_interval(secs => $5),
  due_at = t.now + make_interval(secs => least($5 * power(2, least(w.attempts, 5)), 1800))
FROM held, t, profiles p WHERE w.id = held.id AND p.id = w.profile_id
RETURNING w.id::text, w.event_row AS "eventRow", w.round, w.attempts AS attempt, w.notify, w.removed_guests AS "removedGuests",
  (date_part('epoch', t.now - w.created_at) * 1000)::float8 AS "ageMs", w.profile_id AS "profileId",
  p.provider::text AS provider, p.credential AS "sealedCredential"`,
);

/** Holds a claim on. False: it is lost. */
export async function renewWrite(db: Database, { id, lease }: ClaimedWrite): Promise<boolean> {
  const rows = await db.query<{ id: string }>(
    `WITH t AS (SELECT coalesce($3::timestamptz, clock_timestamp()) + make_interval(secs => $4) AS until)
UPDATE provider_writes SET leased_until = t.until,
  due_at = CASE WHEN due_at < leased_until THEN due_at ELSE greatest(due_at, t.until) END
FROM t WHERE id = $1::bigint AND lease = $2 RETURNING id::text`,
    [id, lease, databaseTime(), LEASE_S],
  );
  return rows.length > 0;
}

/** In how many milliseconds a write to these providers is due; null: none is. */
export async function nextWriteIn(db: Database, providers: readonly CalendarProvider[]): Promise<number | null> {
  const [row] = await db.query<{ ms: number | null }>(
    `WITH t AS (SELECT coalesce($1::timestamptz, clock_timestamp()) AS now)
SELECT date_part('epoch', min(greatest(w.due_at, w.leased_until)) - max(t.now))::float8 * 1000 AS ms
FROM provider_writes w CROSS JOIN t JOIN profiles p ON p.id = w.profile_id
WHERE w.refused_at IS NULL AND p.connected AND p.credential IS NOT NULL AND p.provider::text = ANY ($2::text[])`,
    [databaseTime(), providers],
  );
  return row?.ms ?? null;
}
