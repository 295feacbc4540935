import type { Database } from "@/server/db/client";
import type { Instant } from "@/server/domain/time/instant";

/** As long as the deliveries and requests that they are about. What staff did stays in the audit trail. */
const RETENTION_MS = 30 * 86_400_000;

/** Drops replays that ended, and sessions that can no longer be used, more than 30 days ago. */
export async function dropOldStaffRows(db: Database, now: Instant): Promise<void> {
  const before = new Date(now - RETENTION_MS);
  await db.prisma.replay.deleteMany({ where: { finishedAt: { lt: before } } });
  await db.prisma.operatorSession.deleteMany({
    where: { OR: [{ endedAt: { lt: before } }, { expiresAt: { lt: before } }] },
  });
}
