import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";

/** As long as the deliveries and requests that they are about. What staff did stays in the audit trail. */
const RETENTION_MS = 30 * 86_400_000;

/** Drops replays that ended, and sessions that can no longer be used, more than 30 days ago. */
export async function dropOldStaffRows(db: Database, now: Instant): Promise<void> {
  const before = new Date(now - RETENTION_MS);
  await db.query("DELETE FROM replays WHERE finished_at < $1", [before]);
  await db.query("DELETE FROM operator_sessions WHERE least(ended_at, expires_at) < $1", [before]);
}
