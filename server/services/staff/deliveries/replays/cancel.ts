import { databaseTime } from "@/server/db/database-time";
import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit";
import { byId } from "@/server/services/staff/deliveries/get";
import { unasked } from "@/server/services/staff/deliveries/replays/ask";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

/** Stops a replay: attempts under way go on, the others are not begun. Throws not_found; conflict when it is over. */
export const cancelReplay = staffProcedure
  .input(staffInput(byId))
  .mutation(async ({ ctx, input: { id } }): Promise<ReplayRow> => {
    return await ctx.db.transaction(async (query) => {
      const stopped = await query(stopping, [id, databaseTime()]);
      if (stopped.length === 0) {
        const { state } = await readReplay(query, id);
        throw new Refusal({
          kind: "conflict",
          text: `This bulk retry is already ${state === "cancelled" ? "stopped" : state}.`,
        });
      }
      const back = await query<{ isBegun: boolean }>(takingBack, [id, databaseTime()]);
      const untouched = back.filter(({ isBegun }) => !isBegun).length;
      await query("UPDATE replays SET taken = taken - $2::int WHERE id = $1", [id, untouched]);
      const replay = await readReplay(query, id);
      const { total, retried } = replay;
      await audit(query, ctx, { action: "replay.cancelled", object: id, detail: { total, retried } });
      return replay;
    });
  });

const stopping = `UPDATE replays SET state = 'cancelled', finished_at = coalesce($2::timestamptz, clock_timestamp())
WHERE id = $1 AND state = 'running' RETURNING id`;

const takingBack = `WITH back AS (SELECT id, attempts > replay_from AS "isBegun" FROM deliveries
  WHERE replay_id = $1 AND state = 'pending' AND replay_from IS NOT NULL
    AND coalesce(leased_until <= coalesce($2::timestamptz, clock_timestamp()), true) ORDER BY id FOR UPDATE)
UPDATE deliveries d SET ${unasked} FROM back WHERE d.id = back.id RETURNING back."isBegun"`;
