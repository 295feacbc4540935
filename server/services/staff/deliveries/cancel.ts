import { z } from "zod";
import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { wake } from "@/server/db/wake";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import {
  type CancellableDelivery,
  cancelPending,
  followCancelled,
  lockCancellable,
  reachBack,
} from "@/server/services/staff/deliveries/deliveries.sql";
import { byId } from "@/server/services/staff/deliveries/get";
import { countTakenBack, takeBackDelivery } from "@/server/services/staff/deliveries/replays/replays.sql";
import type { DeliveryState } from "@/server/services/staff/lists/deliveries";
import type { Role } from "@/server/services/staff/procedure/staff-context";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { findDelivery } from "@/server/store/deliveries/days";

const input = byId.extend({
  /** Cancel only an attempt that staff requested: nothing is ended. */
  requested: z.literal(true).optional(),
});

/**
 * Cancels what staff requested: the delivery returns to its earlier state. Without a requested attempt, an admin ends a
 * pending delivery without another attempt. An attempt in progress is not aborted: when its receiver accepts, the
 * delivery is delivered. Throws not_found; conflict when it is not pending, or waits for the end of a requested
 * attempt; forbidden.
 */
export const cancelDelivery = scopedProcedure
  .input(staffInput(input))
  .mutation(async ({ ctx, input: { id, requested } }): Promise<{ id: string; state: DeliveryState }> => {
    await ctx.scope.expect("delivery", id);
    const cancelled = await ctx.db.transaction(async (query, prisma) => {
      const [found] = await findDelivery(id, ({ from, before }) =>
        run(query, lockCancellable, [id, databaseTime(), from, before]),
      );
      if (!found) throw new Refusal({ kind: "not_found" });
      if (requested && !found.isManual)
        throw new Refusal({ kind: "conflict", text: "There is no manual retry to cancel." });
      const state = found.isManual ? await takeBack(query, found) : await end(query, found, ctx.operator.role);
      await audit(prisma, ctx, { action: "delivery.cancelled", object: id, detail: { state } });
      return { id, state };
    });
    wake("notify");
    return cancelled;
  });

async function takeBack(query: Query, { id, isAwaited, replayId }: CancellableDelivery): Promise<DeliveryState> {
  if (isAwaited) throw new Refusal({ kind: "conflict", text: "An attempt is in progress. Try again when it ends." });
  const row = await runOne(query, takeBackDelivery, [id]);
  if (replayId) await run(query, countTakenBack, [replayId]);
  return row.state;
}

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
  await run(query, followCancelled, [id, databaseTime()]);
  await run(query, cancelPending, [id, databaseTime()]);
  if (changesSince) await run(query, reachBack, [channelId, changesSince]);
  return "cancelled";
}
