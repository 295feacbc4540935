import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { MOST_BYTES_SENT, MOST_CHANGES_SENT } from "@/server/domain/channels/delivery-settings";
import { changesOfDelivery } from "@/server/store/changes/changes.sql";
import { type ShownChange, shownChange } from "@/server/store/changes/shown-change";
import type { DeliveryClaim } from "@/server/webhooks/claim";

/**
 * Adds what changed to a notification, as far as it fits: at most 100 changes and 64 KB, then `more`. It is read when the
 * attempt begins. What changes after that gets a delivery of its own, because the claim has counted the attempt.
 */
export async function bodyWithChanges(db: Database, { id, body }: Pick<DeliveryClaim, "id" | "body">): Promise<string> {
  const rows = await run(db.query, changesOfDelivery, [id, MOST_CHANGES_SENT + 1]);
  const changes: ShownChange[] = [];
  let bytes = 0;
  for (const { calendarId, ...row } of rows.slice(0, MOST_CHANGES_SENT)) {
    const change = shownChange(row, calendarId);
    bytes += Buffer.byteLength(JSON.stringify(change)) + 1;
    if (bytes > MOST_BYTES_SENT) break;
    changes.push(change);
  }
  const { notification, ...rest } = JSON.parse(body) as { notification: object };
  const more = changes.length < rows.length && { more: true };
  return JSON.stringify({ notification: { ...notification, changes, ...more }, ...rest });
}
