import { dropBatches, type GoesOn } from "@/server/db/batches";
import type { Database } from "@/server/db/client";
import { DELIVERIES_KEPT_DAYS } from "@/server/domain/retention";
import type { Instant } from "@/server/domain/time/instant";
import { dropDeliveries, dropHosts, dropSeenChanges } from "@/server/webhooks/outcomes.sql";

const RETENTION_MS = DELIVERIES_KEPT_DAYS * 86_400_000;

/**
 * Deletes deliveries that are more than 30 days old, with their attempts. One that staff are retrying is deleted afterwards. Hosts that
 * nothing was sent to and changes that were seen so long ago are forgotten too. True: a piece of them, and there may be more.
 */
export async function dropOldDeliveries(db: Database, now: Instant, goesOn: GoesOn = () => true): Promise<boolean> {
  const before = new Date(now - RETENTION_MS);
  return await dropBatches({ query: db.query, goesOn }, [
    [dropHosts, before],
    [dropDeliveries, before],
    [dropSeenChanges, before],
  ]);
}
