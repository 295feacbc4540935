import { cancelled } from "@/server/db/cancelled";
import type { Query } from "@/server/db/client";
import { isFaulty } from "@/server/domain/text";
import { lockAccount } from "@/server/services/channels/account-lock";
import { rawInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/**
 * DELETE /v1/channels/{channel_id}: closes a channel and cancels what it still had to deliver. Succeeds again when it is closed
 * already. Throws unknown_channel for an id the account never had.
 */
export const closeChannel = accountProcedure
  .input(rawInput((raw) => raw as { channel_id: string }))
  .mutation(async ({ input: { channel_id }, ctx }) => {
    const { accountId } = ctx.bearer;
    if (isFaulty(channel_id)) throw unknownChannel();
    await ctx.db.transaction(async (query) => {
      await lockAccount(query, accountId);
      if (!(await hasChannel(query, accountId, channel_id))) throw unknownChannel();
      for (const step of steps) await query(step, [channel_id]);
    });
  });

const steps = [
  // Deliveries before channels, as the outcome of an attempt takes them: the other order would deadlock with it.
  "SELECT FROM deliveries WHERE channel_id = $1 AND state = 'pending' ORDER BY id FOR UPDATE",
  "UPDATE channels SET closed_at = clock_timestamp(), closed_by = 'delete' WHERE id = $1 AND closed_at IS NULL",
  // Also those that were written since the first step.
  `UPDATE deliveries SET ${cancelled("clock_timestamp()")} WHERE channel_id = $1 AND state = 'pending'`,
];

async function hasChannel(query: Query, accountId: string, id: string): Promise<boolean> {
  return (await query("SELECT FROM channels WHERE id = $1 AND account_id = $2", [id, accountId])).length > 0;
}

function unknownChannel(): Refusal {
  return new Refusal({ kind: "unknown_channel", description: "This account has no channel with this id" });
}
