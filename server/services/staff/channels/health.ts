import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { runOne } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { MEASURED_HOURS } from "@/server/services/staff/channels/attempts.sql";
import { channelPage, measureChannel } from "@/server/services/staff/channels/channels.sql";
import { channelOf } from "@/server/services/staff/channels/list";
import type { ChannelHealth } from "@/server/services/staff/channels/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { lastHours } from "@/server/store/deliveries/days";

/** Reads the health of a channel's receiver. Throws not_found. */
export const channelHealth = scopedProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 600 }) })))
  .query(async ({ ctx, input: { id } }): Promise<ChannelHealth> => {
    await ctx.scope.expect("channel", id);
    const [channel] = await runComposed(ctx.db.query, channelPage, { id, limit: 1 });
    if (!channel) throw new Refusal({ kind: "not_found" });
    const { from, before } = lastHours(ctx.now, MEASURED_HOURS);
    const measured = await runOne(ctx.db.query, measureChannel, [id, from, before]);
    const { attempts, successes, p50Ms, p95Ms, oldestPendingAt } = measured;
    return {
      ...channelOf(channel),
      successRate24h: attempts === 0 ? null : successes / attempts,
      p50Ms,
      p95Ms,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
      consecutiveFailures: channel.failures,
    };
  });
