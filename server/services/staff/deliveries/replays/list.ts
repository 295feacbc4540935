import type { Query } from "@/server/db/client";
import { Refusal } from "@/server/services/refusal";
import { byId } from "@/server/services/staff/deliveries/get";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";
import { taking } from "@/server/services/staff/taking";
import { staffProcedure } from "@/server/services/staff/trpc";

const SHOWN = 50;

/** The last replays, the newest first. */
export const listReplays = staffProcedure.query(async ({ ctx }): Promise<ReplayRow[]> => {
  const rows = await ctx.db.query<StoredReplay>(`${reading} ORDER BY r.created_at DESC, r.id DESC LIMIT ${SHOWN}`);
  return rows.map(replayOf);
});

/** How far a replay has come. Throws not_found. */
export const getReplay = staffProcedure
  .input(taking(byId))
  .query(async ({ ctx, input: { id } }): Promise<ReplayRow> => await readReplay(ctx.db.query, id));

export async function readReplay(query: Query, id: string): Promise<ReplayRow> {
  const [row] = await query<StoredReplay>(`${reading} WHERE r.id = $1`, [id]);
  if (!row) throw new Refusal({ kind: "not_found" });
  return replayOf(row);
}

type StoredReplay = Omit<ReplayRow, "createdAt" | "finishedAt"> & { createdAt: Date; finishedAt: Date | null };

const reading = `SELECT r.id, r.state::text AS state, r.total, r.skipped, r.filters, r.created_at AS "createdAt", r.finished_at AS "finishedAt",
  coalesce(o.name, r.operator_id) AS "startedBy", r.taken - (SELECT count(*)::int FROM deliveries d
    WHERE d.replay_id = r.id AND d.state = 'pending' AND d.replay_from IS NOT NULL) AS done
FROM replays r LEFT JOIN operators o ON o.id = r.operator_id`;

function replayOf(row: StoredReplay): ReplayRow {
  return { ...row, createdAt: row.createdAt.toISOString(), finishedAt: row.finishedAt?.toISOString() ?? null };
}
