import { prepared } from "@/server/db/client";
import { bool, int4, nullable, oneOf, statement, text, timestamp } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { isOverdue } from "@/server/services/staff/accounts/mailbox-states";
import { isPendingWrite } from "@/server/store/events/write-states";

export interface ProfileStatusRow {
  provider: Provider;
  connected: boolean;
  createdAt: Date;
  disconnectedAt: Date | null;
  initialSyncRequired: boolean;
  lastSyncAt: Date | null;
  unreadSince: Date | null;
  failures: number;
  error: string | null;
  overdueSince: Date | null;
  isThrottled: boolean;
  nextReadAt: Date | null;
  /** Of its watches, and of its calendars those that should have one and don't. */
  live: number;
  missing: number;
  pendingWrites: number;
  failedWrites: number;
}

const isLive = "w.resource IS NOT NULL AND w.expires_at > t.now";
const isPending = isPendingWrite("w", { profile: "p", sync: "s" });

/** The profile $1 of the account $2. $3: the time. A claim counts the read in progress as a failure, which is taken off here. */
export const statusOfProfile = statement<ProfileStatusRow>(
  prepared(
    "status of a profile",
    `SELECT p.provider, p.connected, p.created_at AS "createdAt", p.disconnected_at AS "disconnectedAt",
  p.initial_sync_required AS "initialSyncRequired", s.last_sync_at AS "lastSyncAt", c.since AS "unreadSince", s.sync_error AS error,
  s.sync_failures - CASE WHEN s.sync_leased_until > t.now THEN 1 ELSE 0 END AS failures,
  CASE WHEN ${isOverdue("s", "t.now")} THEN s.sync_due_at END AS "overdueSince", coalesce(greatest(s.throttled_until, q.until) > t.now, false) AS "isThrottled",
  CASE WHEN s.readable AND s.sync_due_at IS NOT NULL THEN greatest(s.sync_due_at, s.throttled_until, q.until) END AS "nextReadAt",
  (SELECT count(*)::int FROM provider_watches w LEFT JOIN calendars d ON d.id = w.calendar_id WHERE w.profile_id = p.id AND ${isLive} AND d.deleted IS NOT TRUE) AS live,
  c.missing, w.pending AS "pendingWrites", w.failed AS "failedWrites"
FROM (SELECT coalesce($3::timestamptz, clock_timestamp()) AS now) t
JOIN profiles p ON p.id = $1 AND p.account_id = $2 JOIN profile_syncs s ON s.profile_id = p.id LEFT JOIN provider_pauses q ON q.provider = p.provider
CROSS JOIN LATERAL (SELECT min(c.read_at) FILTER (WHERE c.sync_failures > 0) AS since,
  count(*) FILTER (WHERE NOT EXISTS (SELECT FROM provider_watches w WHERE w.calendar_id = c.id AND (${isLive} OR w.resource IS NULL AND w.refused_for IS NULL)))::int AS missing
  FROM calendars c WHERE c.profile_id = p.id AND NOT c.deleted) c
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE ${isPending})::int AS pending, count(*) FILTER (WHERE NOT ${isPending})::int AS failed
  FROM provider_writes w WHERE w.account_id = p.account_id AND w.profile_id = p.id) w`,
  ),
  {
    provider: oneOf<Provider>(),
    connected: bool,
    createdAt: timestamp,
    disconnectedAt: nullable(timestamp),
    initialSyncRequired: bool,
    lastSyncAt: nullable(timestamp),
    unreadSince: nullable(timestamp),
    failures: int4,
    error: nullable(text),
    overdueSince: nullable(timestamp),
    isThrottled: bool,
    nextReadAt: nullable(timestamp),
    live: int4,
    missing: int4,
    pendingWrites: int4,
    failedWrites: int4,
  },
);
