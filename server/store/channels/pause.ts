import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { lockPendingDeliveries } from "@/server/store/channels/channels.sql";
import { holdDeliveries, markPaused, markResumed, releaseDeliveries } from "@/server/store/channels/pause.sql";

/**
 * Holds a channel's deliveries, those to come as well: they stay pending without a next attempt. The API shows the channel unchanged.
 * False, with nothing changed: there is no such open channel, or it is paused.
 */
export async function pauseChannel(query: Query, id: string): Promise<boolean> {
  // Deliveries before channels, as everywhere. Those that are written in between are held by the last statement.
  await run(query, lockPendingDeliveries, [id]);
  const paused = await run(query, markPaused, [id, databaseTime()]);
  if (paused.length > 0) await run(query, holdDeliveries, [id]);
  return paused.length > 0;
}

/** Makes all that was held due. Call `wake("deliver")` after the commit. False, with nothing changed: it is not paused, or closed. */
export async function resumeChannel(query: Query, id: string): Promise<boolean> {
  await run(query, lockPendingDeliveries, [id]);
  const resumed = await run(query, markResumed, [id, databaseTime()]);
  if (resumed.length > 0) await run(query, releaseDeliveries, [id, databaseTime()]);
  return resumed.length > 0;
}
