import { wake } from "@/server/db/wake";
import { isFaulty } from "@/server/domain/text";
import { rawInput } from "@/server/services/input";
import { unknownChannel } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";
import { addTestDelivery } from "@/server/store/channels/test-delivery";

/**
 * Sends a test `change` to the channel's callback URL (POST /v1/channels/{channel_id}/test). Throws unknown_channel for
 * an id the account never had, or a closed channel.
 */
export const testChannel = accountProcedure
  .input(rawInput((raw) => raw as { channel_id: string }))
  .mutation(async ({ input: { channel_id: id }, ctx }) => {
    const { accountId } = ctx.bearer;
    const sent = isFaulty(id) ? null : await addTestDelivery(ctx.db.query, { id, accountId });
    if (sent === null) throw unknownChannel("open ");
    ctx.db.wrote(1);
    wake("deliver");
    return { delivery: { delivery_id: sent.deliveryId } };
  });
