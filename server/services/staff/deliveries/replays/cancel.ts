import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { byId } from "@/server/services/staff/deliveries/get";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import { stopWithin } from "@/server/services/staff/deliveries/replays/stop";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Stops a replay: attempts in progress continue, the others are not begun. Throws not_found; conflict when it is over. */
export const cancelReplay = scopedProcedure
  .input(staffInput(byId))
  .mutation(async ({ ctx, input: { id } }): Promise<ReplayRow> => {
    await ctx.scope.expect("replay", id);
    return await ctx.db.transaction(async (query, prisma) => {
      const stopped = await stopWithin({ query, prisma }, ctx, id);
      if (stopped) return stopped;
      const { state } = await readReplay(query, id);
      throw new Refusal({
        kind: "conflict",
        text: `This bulk retry is already ${state === "cancelled" ? "stopped" : state}.`,
      });
    });
  });
