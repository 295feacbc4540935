import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { lockPendingDeliveries } from "@/server/store/channels/channels.sql";
import { holdDeliveries, markPaused, markResumed, releaseDeliveries } from "@/server/store/channels/pause.sql";

/**
 * Pauses a channel: its deliveries, including new ones, stay pending without a next attempt. The API shows the channel
 * unchanged. Returns false, with nothing changed, when there is no such open channel, or it is paused.
 */
export async function pauseChannel(query: Query, id: string): Promise<boolean> {
  // Deliveries before channels, as everywhere. The last statement holds those that are written in between.
  await run(query, lockPendingDeliveries, [id]);
  const paused = await run(query, markPaused, [id, databaseTime()]);
  if (paused.length > 0) await run(query, holdDeliveries, [id]);
  return paused.length > 0;
}

/**
 * Resumes a channel: everything that was held is due. Call `wake("deliver")` after the commit. Returns false, with
 * nothing changed, when it is not paused, or closed.
 */
export async function resumeChannel(query: Query, id: string): Promise<boolean> {
  await run(query, lockPendingDeliveries, [id]);
  const resumed = await run(query, markResumed, [id, databaseTime()]);
  if (resumed.length > 0) await run(query, releaseDeliveries, [id, databaseTime()]);
  return resumed.length > 0;
}
