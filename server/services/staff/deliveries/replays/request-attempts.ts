import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import {
  lockOpenChannels,
  lockReplayable,
  makeDue,
  type ReplayableDelivery,
} from "@/server/services/staff/deliveries/replays/replays.sql";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";
import type { Days } from "@/server/store/deliveries/days";

/** A delivery that staff want attempted now, and what prevents it. */
export interface ReplayInput {
  id: string;
  state: DeliveryState;
  attempts: number;
  /** Null: it is due now. */
  hindrance: "closed" | "under_way" | "requested" | null;
}

export interface AttemptsInput {
  ids: readonly string[];
  /** The days on which they were created. */
  days: Days;
  /** The bulk retry that they belong to. */
  replayId: string | null;
}

/**
 * Makes deliveries due at once for one attempt outside the schedule, which leaves their state unchanged when it fails.
 * Locks deliveries before channels, like all writers, so that none is made due on a channel that is being closed.
 */
export async function requestAttempts(
  query: Query,
  { ids, days: { from, before }, replayId }: AttemptsInput,
): Promise<ReplayInput[]> {
  const deliveries = await run(query, lockReplayable, [ids, databaseTime(), from, before]);
  if (deliveries.length === 0) return [];
  const channels = await run(query, lockOpenChannels, [[...new Set(deliveries.map(({ channelId }) => channelId))]]);
  const open = new Set(channels.map(({ id }) => id));
  const replays = deliveries.map((one): ReplayInput => {
    const { id, state, attempts } = one;
    return { id, state, attempts, hindrance: open.has(one.channelId) ? hindranceOf(one) : "closed" };
  });
  const ready = replays.filter(({ hindrance }) => hindrance === null).map(({ id }) => id);
  if (ready.length > 0) await run(query, makeDue, [ready, databaseTime(), replayId, from, before]);
  return replays;
}

function hindranceOf({ isManual, isUnderWay }: ReplayableDelivery): ReplayInput["hindrance"] {
  if (isUnderWay) return "under_way";
  return isManual ? "requested" : null;
}
