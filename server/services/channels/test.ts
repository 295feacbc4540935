import { wake } from "@/server/db/wake";
import { isFaulty } from "@/server/domain/text";
import { unknownChannel } from "@/server/services/channels/unknown";
import { rawInput } from "@/server/services/input";
import { accountProcedure } from "@/server/services/trpc";
import { addTestDelivery } from "@/server/store/channels/test-delivery";

/**
 * POST /v1/channels/{channel_id}/test: `{ delivery: { delivery_id } }`, a `change` on its way to the channel's callback URL that no
 * change caused. Throws unknown_channel for an id the account never had, or whose channel is closed.
 */
export const testChannel = accountProcedure
  .input(rawInput((raw) => raw as { channel_id: string }))
  .mutation(async ({ input: { channel_id: id }, ctx }) => {
    const { accountId } = ctx.bearer;
    const sent = isFaulty(id) ? null : await ctx.db.transaction((query) => addTestDelivery(query, { id, accountId }));
    if (sent === null) throw unknownChannel("open ");
    wake("deliver");
    return { delivery: { delivery_id: sent.deliveryId } };
  });
