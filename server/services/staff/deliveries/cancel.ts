import { z } from "zod";
import { isAskedByStaff } from "@/server/db/cancelled";
import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { wake } from "@/server/db/wake";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit";
import { byId } from "@/server/services/staff/deliveries/get";
import { unasked } from "@/server/services/staff/deliveries/replays/ask";
import type { DeliveryState } from "@/server/services/staff/deliveries/shapes";
import type { Role } from "@/server/services/staff/staff-context";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";
import { followUps } from "@/server/store/channels/outbox";

const input = byId.extend({
  /** Only what staff asked for is meant: nothing is ended. */
  asked: z.literal(true).optional(),
});

/**
 * Takes back what staff asked for: the delivery is again what it was. Where nothing is asked, an admin ends a pending delivery without
 * another attempt. An attempt that is under way is not called back: when its receiver accepts, the delivery is delivered. Throws
 * not_found; conflict when it is not pending, or waits for the end of an attempt that was asked for; forbidden.
 */
export const cancelDelivery = staffProcedure
  .input(staffInput(input))
  .mutation(async ({ ctx, input: { id, asked } }): Promise<{ id: string; state: DeliveryState }> => {
    const cancelled = await ctx.db.transaction(async (query) => {
      const [found] = await query<CancellableDelivery>(finding, [id, databaseTime()]);
      if (!found) throw new Refusal({ kind: "not_found" });
      if (asked && !found.isManual)
        throw new Refusal({ kind: "conflict", text: "There is no manual retry to cancel." });
      const state = found.isManual ? await takeBack(query, found) : await end(query, found, ctx.operator.role);
      await audit(query, ctx, { action: "delivery.cancelled", object: id, detail: { state } });
      return { id, state };
    });
    wake("notify");
    return cancelled;
  });

interface CancellableDelivery {
  id: string;
  channelId: string;
  changesSince: Date | null;
  state: DeliveryState;
  isManual: boolean;
  /** What was asked for is under way, of a delivery that is pending by itself. */
  isAwaited: boolean;
  /** The replay of many that asked for an attempt which was not begun. */
  replayId: string | null;
}

const finding = `SELECT id, channel_id AS "channelId", changes_since AS "changesSince", state::text AS state,
  ${isAskedByStaff("deliveries")} AS "isManual",
  replay_state IS NULL AND coalesce(leased_until > coalesce($2::timestamptz, clock_timestamp()), false) AS "isAwaited",
  CASE WHEN attempts = replay_from THEN replay_id END AS "replayId"
FROM deliveries WHERE id = $1 FOR UPDATE`;

async function takeBack(query: Query, { id, isAwaited, replayId }: CancellableDelivery): Promise<DeliveryState> {
  if (isAwaited) throw new Refusal({ kind: "conflict", text: "An attempt is in progress. Try again when it ends." });
  const row = await queryOne<{ state: DeliveryState }>(query, takingBack, [id]);
  if (replayId) await query(tallying, [replayId]);
  return row.state;
}

const takingBack = `UPDATE deliveries SET ${unasked} WHERE id = $1 RETURNING state::text AS state`;
const tallying = `INSERT INTO replay_tallies AS t (replay_id, taken_back) SELECT id, 1 FROM replays WHERE id = $1
ON CONFLICT (replay_id) DO UPDATE SET taken_back = t.taken_back + 1`;

async function end(
  query: Query,
  { id, state, channelId, changesSince }: CancellableDelivery,
  role: Role,
): Promise<DeliveryState> {
  if (role !== "admin") {
    throw new Refusal({
      kind: "forbidden",
      text: "Only admins can cancel a scheduled delivery.",
    });
  }
  if (state !== "pending") {
    throw new Refusal({
      kind: "conflict",
      text: `Only pending deliveries can be canceled. This one is ${state === "cancelled" ? "canceled" : state}.`,
    });
  }
  await query(following, [id, databaseTime()]);
  await query(ending, [id, databaseTime()]);
  if (changesSince) await query(reachBack, [channelId, changesSince]);
  return "cancelled";
}

/** Later changes that waited for its end are not cancelled with it. */
const following =
  followUps(`SELECT account_id, channel_id, joined_since AS since, coalesce($2::timestamptz, clock_timestamp()) AS now
  FROM deliveries WHERE id = $1`);

// The lease stays: by it the attempt that is under way is known.
const ending = `UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL, joined_since = NULL, replay_from = NULL,
  finished_at = coalesce($2::timestamptz, clock_timestamp()) WHERE id = $1`;

/** What it would have announced is announced by the channel's next notification ("Events", 2). */
const reachBack =
  "UPDATE channels SET unnotified_since = least(unnotified_since, $2) WHERE id = $1 AND closed_at IS NULL";
