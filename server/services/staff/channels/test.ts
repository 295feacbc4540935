import { z } from "zod";
import { wake } from "@/server/db/wake";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { addTestDelivery } from "@/server/store/channels/test-delivery";

/** Sends a test event to a channel, as POST /v1/channels/{channel_id}/test does. Throws not_found, also for a closed channel. */
export const testChannel = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 600 }) })))
  .mutation(async ({ ctx, input: { id } }): Promise<{ deliveryId: string }> => {
    await ctx.scope.expect("channel", id);
    const { deliveryId } = await ctx.db.transaction(async (query, prisma) => {
      const sent = await addTestDelivery(query, { id, accountId: null });
      if (sent === null) throw new Refusal({ kind: "not_found" });
      await audit(prisma, ctx, { action: "channel.tested", object: id, detail: { delivery: sent.deliveryId } });
      return sent;
    });
    wake("deliver");
    return { deliveryId };
  });
