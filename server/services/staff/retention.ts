import { dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";
import { dropMessages } from "@/server/services/staff/alerts/alerts.sql";
import { dropAuthorizations, dropInvitations, dropReplays, dropSessions } from "@/server/services/staff/retention.sql";

/** As long as the deliveries and requests that they are about. Actions of staff stay in the audit trail. */
const RETENTION_MS = 30 * 86_400_000;

/**
 * Drops finished replays, unusable sessions and invitations, sent alerts, and finished authorizations of organizations from more than 30 days ago. Returns true
 * after a piece, when there may be more.
 */
export async function dropOldStaffRows(db: Database, now: Instant, goesOn: GoesOn = () => true): Promise<boolean> {
  const before = new Date(now - RETENTION_MS);
  return await dropBatches({ query: db.query, goesOn }, [
    [dropReplays, before],
    [dropSessions, before],
    [dropInvitations, before],
    [dropMessages, before],
    [dropAuthorizations, before],
  ]);
}
