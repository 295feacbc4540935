import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { progressOf } from "@/server/services/staff/deliveries/deliveries.sql";
import { byId } from "@/server/services/staff/deliveries/get";
import type { DeliveryProgress } from "@/server/services/staff/deliveries/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { findDelivery } from "@/server/store/deliveries/days";

/**
 * Reads whether an attempt is awaited and the result of the last one, without anything that was sent or received.
 * Throws not_found.
 */
export const deliveryProgress = scopedProcedure
  .input(staffInput(byId))
  .query(async ({ ctx, input: { id } }): Promise<DeliveryProgress> => {
    await ctx.scope.expect("delivery", id);
    const [row] = await findDelivery(id, ({ from, before, attemptedFrom }) =>
      run(ctx.db.query, progressOf, [id, databaseTime(), from, before, attemptedFrom]),
    );
    if (!row) throw new Refusal({ kind: "not_found" });
    const { state, waiting, number, ...last } = row;
    return { state, waiting, last: number === null ? null : { number, ...last } };
  });
