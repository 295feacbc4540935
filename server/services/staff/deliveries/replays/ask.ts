import { isAskedByStaff } from "@/server/db/cancelled";
import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import type { DeliveryState } from "@/server/services/staff/deliveries/shapes";

/** A delivery that staff want to be attempted now, and what keeps it from that. */
export interface ReplayInput {
  id: string;
  state: DeliveryState;
  attempts: number;
  /** Null: it is due now. */
  hindrance: "closed" | "under_way" | "asked" | null;
}

/**
 * Makes deliveries due at once for one attempt that the schedule does not count, and that leaves them what they were when it fails.
 * Deliveries are taken before channels, as everybody takes them, so that none is made due on a channel that is being closed.
 */
export async function ask(query: Query, ids: readonly string[], replayId: string | null): Promise<ReplayInput[]> {
  const found = await query<Taken>(taking, [ids, databaseTime()]);
  const channels = await query<{ id: string }>(
    "SELECT id FROM channels WHERE id = ANY ($1) AND closed_at IS NULL ORDER BY id FOR SHARE",
    [[...new Set(found.map(({ channelId }) => channelId))]],
  );
  const open = new Set(channels.map(({ id }) => id));
  const replays = found.map((one): ReplayInput => {
    const { id, state, attempts } = one;
    return { id, state, attempts, hindrance: open.has(one.channelId) ? hindranceOf(one) : "closed" };
  });
  const ready = replays.filter(({ hindrance }) => hindrance === null).map(({ id }) => id);
  if (ready.length > 0) await query(asking, [ready, databaseTime(), replayId]);
  return replays;
}

interface Taken {
  id: string;
  channelId: string;
  state: DeliveryState;
  attempts: number;
  isManual: boolean;
  isUnderWay: boolean;
}

const taking = `SELECT id, channel_id AS "channelId", state::text AS state, attempts,
  ${isAskedByStaff("deliveries")} AS "isManual",
  state = 'pending' AND coalesce(leased_until > coalesce($2::timestamptz, clock_timestamp()), false) AS "isUnderWay"
FROM deliveries WHERE id = ANY ($1) ORDER BY id FOR UPDATE`;

const asking = `UPDATE deliveries SET replay_from = attempts, replay_id = $3, replay_state = nullif(state, 'pending'),
  scheduled_at = CASE WHEN state = 'pending' THEN CASE WHEN replay_from IS NULL THEN next_attempt_at ELSE scheduled_at END END, state = 'pending',
  next_attempt_at = coalesce($2::timestamptz, clock_timestamp()), lease = NULL, leased_until = NULL
WHERE id = ANY ($1)`;

function hindranceOf({ isManual, isUnderWay }: Taken): ReplayInput["hindrance"] {
  if (isUnderWay) return "under_way";
  return isManual ? "asked" : null;
}

/** SQL that takes back what was asked for and not begun: the delivery is again what it was. */
export const unasked = `state = coalesce(replay_state, 'pending'), replay_from = NULL,
next_attempt_at = CASE WHEN replay_state IS NULL THEN scheduled_at END`;
