import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { byId } from "@/server/services/staff/deliveries/get";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import { countUntouched, stopReplay, takeBackDeliveries } from "@/server/services/staff/deliveries/replays/replays.sql";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { staffProcedure } from "@/server/services/staff/procedure/trpc";

/** Stops a replay: attempts under way go on, the others are not begun. Throws not_found; conflict when it is over. */
export const cancelReplay = staffProcedure
  .input(staffInput(byId))
  .mutation(async ({ ctx, input: { id } }): Promise<ReplayRow> => {
    return await ctx.db.transaction(async (query) => {
      const stopped = await run(query, stopReplay, [id, databaseTime()]);
      if (stopped.length === 0) {
        const { state } = await readReplay(query, id);
        throw new Refusal({
          kind: "conflict",
          text: `This bulk retry is already ${state === "cancelled" ? "stopped" : state}.`,
        });
      }
      const back = await run(query, takeBackDeliveries, [id, databaseTime()]);
      const untouched = back.filter(({ isBegun }) => !isBegun).length;
      await run(query, countUntouched, [id, untouched]);
      const replay = await readReplay(query, id);
      const { total, retried } = replay;
      await audit(query, ctx, { action: "replay.cancelled", object: id, detail: { total, retried } });
      return replay;
    });
  });
