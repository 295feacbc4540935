import { isFaulty } from "@/server/domain/text";
import { rawInput } from "@/server/services/input";
import { requireLivingAccount } from "@/server/services/living-account";
import { unknownChannel } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";
import { closeChannel as closeStoredChannel } from "@/server/store/channels/channels";

/**
 * Closes a channel and cancels its pending deliveries (DELETE /v1/channels/{channel_id}). Succeeds again when it is
 * closed already. Throws unknown_channel for an id the account never had.
 */
export const closeChannel = accountProcedure
  .input(rawInput((raw) => raw as { channel_id: string }))
  .mutation(async ({ input: { channel_id: id }, ctx }) => {
    const { accountId } = ctx.bearer;
    if (isFaulty(id)) throw unknownChannel();
    await ctx.db.transaction(async (query) => {
      await requireLivingAccount(query, accountId);
      if ((await closeStoredChannel(query, { accountId, id })) === "unknown") throw unknownChannel();
    });
  });
