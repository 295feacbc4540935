import { wake } from "@/server/db/wake";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { byId } from "@/server/services/staff/deliveries/get";
import { type ReplayInput, requestAttempts } from "@/server/services/staff/deliveries/replays/request-attempts";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { findDelivery } from "@/server/store/deliveries/days";

/**
 * Attempts a delivery at once, whatever its state: under its own id, as the next attempt, marked manual, and without a
 * change to its schedule. Throws not_found; conflict when its channel is closed or an attempt is in progress.
 */
export const retryDelivery = scopedProcedure
  .input(staffInput(byId))
  .mutation(async ({ ctx, input: { id } }): Promise<{ id: string; attempt: number }> => {
    await ctx.scope.expect("delivery", id);
    const attempt = await ctx.db.transaction(async (query, prisma) => {
      const [replay] = await findDelivery(id, (days) => requestAttempts(query, { ids: [id], days, replayId: null }));
      if (!replay) throw new Refusal({ kind: "not_found" });
      if (replay.hindrance) throw new Refusal({ kind: "conflict", text: sentences[replay.hindrance] });
      await audit(prisma, ctx, { action: "delivery.retried", object: id, detail: { state: replay.state } });
      return replay.attempts + 1;
    });
    wake("deliver");
    return { id, attempt };
  });

const sentences: Record<NonNullable<ReplayInput["hindrance"]>, string> = {
  closed: "The channel is closed. Nothing more will be sent.",
  under_way: "An attempt is in progress. Try again when it ends.",
  requested: "A retry is already requested.",
};
