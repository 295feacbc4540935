import type { Query } from "@/server/db/client";
import { Refusal } from "@/server/services/refusal";
import { byId } from "@/server/services/staff/deliveries/get";
import type { ReplayRow } from "@/server/services/staff/deliveries/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

const SHOWN = 50;

/** The last replays, the newest first. */
export const listReplays = staffProcedure.query(async ({ ctx }): Promise<ReplayRow[]> => {
  const rows = await ctx.db.query<StoredReplay>(`${reading} ORDER BY r.created_at DESC, r.id DESC LIMIT ${SHOWN}`);
  return rows.map(replayOf);
});

/** How far a replay has come. Throws not_found. */
export const getReplay = staffProcedure
  .input(staffInput(byId))
  .query(async ({ ctx, input: { id } }): Promise<ReplayRow> => await readReplay(ctx.db.query, id));

export async function readReplay(query: Query, id: string): Promise<ReplayRow> {
  const [row] = await query<StoredReplay>(`${reading} WHERE r.id = $1`, [id]);
  if (!row) throw new Refusal({ kind: "not_found" });
  return replayOf(row);
}

type StoredReplay = Counts &
  Pick<ReplayRow, "id" | "state" | "filters" | "startedBy"> & { createdAt: Date; finishedAt: Date | null };

/** One that a process began which knows no tallies has none until something is counted. */
const reading = `SELECT r.id, r.state::text AS state, r.total, r.taken, r.skipped, r.closed, r.all_taken AS "allTaken", r.filters,
  r.created_at AS "createdAt", r.finished_at AS "finishedAt", coalesce(o.name, r.operator_id) AS "startedBy", coalesce(t.begun, 0) AS begun,
  coalesce(t.taken_back, 0) AS "takenBack",
  w.waiting, w.under_way AS "underWay"
FROM replays r LEFT JOIN replay_tallies t ON t.replay_id = r.id LEFT JOIN operators o ON o.id = r.operator_id
CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE attempts = replay_from))::int AS waiting,
    (count(*) FILTER (WHERE attempts > replay_from))::int AS under_way
  FROM deliveries WHERE replay_id = r.id AND state = 'pending' AND replay_from IS NOT NULL) w`;

interface Counts {
  total: number;
  /** Gone through by now; of them `skipped` could not be asked for. */
  taken: number;
  skipped: number;
  /** Of those skipped. */
  closed: number;
  allTaken: boolean;
  /** First attempts that were begun. */
  begun: number;
  takenBack: number;
  /** Asked for and not begun; begun and not ended. */
  waiting: number;
  underWay: number;
}

function replayOf({ id, state, filters, startedBy, createdAt, finishedAt, ...counts }: StoredReplay): ReplayRow {
  const times = { createdAt: createdAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
  return { id, state, filters, startedBy, ...times, ...figures(state, counts) };
}

/** What was asked for ends with an attempt, is taken back by staff, or is over before its turn because its channel is closed. */
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
