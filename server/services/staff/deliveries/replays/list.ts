import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { byId } from "@/server/services/staff/deliveries/get";
import { newestReplays, replayById, type StoredReplay } from "@/server/services/staff/deliveries/replays/replays.sql";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Lists the latest replays, the newest first. */
export const listReplays = scopedProcedure.query(async ({ ctx }): Promise<ReplayRow[]> => {
  const rows = await run(ctx.db.query, newestReplays, [ctx.scope.applications]);
  return rows.map(replayOf);
});

/** Reads the progress of a replay. Throws not_found. */
export const getReplay = scopedProcedure
  .input(staffInput(byId))
  .query(async ({ ctx, input: { id } }): Promise<ReplayRow> => {
    await ctx.scope.expect("replay", id);
    return await readReplay(ctx.db.query, id);
  });

export async function readReplay(query: Query, id: string): Promise<ReplayRow> {
  const [row] = await run(query, replayById, [id]);
  if (!row) throw new Refusal({ kind: "not_found" });
  return replayOf(row);
}

function replayOf({ id, state, filters, startedBy, createdAt, finishedAt, ...counts }: StoredReplay): ReplayRow {
  const times = { createdAt: createdAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
  return { id, state, filters, startedBy, ...times, ...figures(state, counts) };
}

type Counts = Omit<StoredReplay, "id" | "state" | "filters" | "startedBy" | "createdAt" | "finishedAt">;

/**
 * Returns a replay's figures. A request ends with an attempt, is cancelled by staff, or ends before its turn because
 * its channel is closed.
 */
function figures(state: ReplayRow["state"], counts: Counts): Pick<ReplayRow, "total" | "done" | "retried" | "leftOut"> {
  const { taken, skipped, begun, takenBack, waiting, underWay } = counts;
  const over = taken - skipped - begun - takenBack - waiting;
  const isThrough = counts.allTaken && state !== "cancelled";
  const changed = isThrough ? Math.max(0, counts.total - taken) : 0;
  return {
    total: Math.max(counts.total, taken),
    done: taken - waiting - underWay + changed,
    retried: begun - underWay,
    leftOut: { closed: counts.closed + over, underWay: skipped - counts.closed, takenBack, changed },
  };
}
