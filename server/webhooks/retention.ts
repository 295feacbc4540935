import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { DELIVERIES_KEPT_DAYS } from "@/server/domain/retention";
import type { Instant } from "@/server/domain/time/instant";
import { dropDeliveries } from "@/server/webhooks/outcomes.sql";

const RETENTION_MS = DELIVERIES_KEPT_DAYS * 86_400_000;
const BATCH = 2_000;

/**
 * Deletes deliveries that are more than 30 days old, with their attempts, batch by batch. One that staff are retrying is deleted
 * afterwards. Hosts that nothing was sent to for as long are forgotten too. Returns how many deliveries.
 */
export async function dropOldDeliveries(db: Database, now: Instant): Promise<number> {
  const before = new Date(now - RETENTION_MS);
  await db.prisma.deliveryHost.deleteMany({ where: { claimedAt: { lt: before } } });
  for (let dropped = 0; ; ) {
    const rows = await run(db.query, dropDeliveries, [before, BATCH]);
    dropped += rows.length;
    if (rows.length < BATCH) return dropped;
  }
}
