import { databaseTime } from "@/server/db/database-time";
import { Refusal } from "@/server/services/refusal";
import { byId } from "@/server/services/staff/deliveries/get";
import type { DeliveryProgress, DeliveryState } from "@/server/services/staff/deliveries/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

/** Whether an attempt is awaited, and what the last one came to. Nothing of what was sent or received. Throws not_found. */
export const deliveryProgress = staffProcedure
  .input(staffInput(byId))
  .query(async ({ ctx, input: { id } }): Promise<DeliveryProgress> => {
    const [row] = await ctx.db.query<ProgressRow>(finding, [id, databaseTime()]);
    if (!row) throw new Refusal({ kind: "not_found" });
    const { state, waiting, number, ...last } = row;
    return { state, waiting, last: number === null ? null : { number, ...last } };
  });

interface ProgressRow {
  state: DeliveryState;
  waiting: boolean;
  number: number | null;
  status: number | null;
  errorClass: string | null;
  durationMs: number | null;
}

const finding = `SELECT d.state::text AS state, d.state = 'pending' AND (d.replay_from IS NOT NULL
    OR coalesce(d.leased_until > coalesce($2::timestamptz, clock_timestamp()), false)) AS waiting,
  a.number, a.status, a.error_class AS "errorClass", a.duration_ms AS "durationMs"
FROM deliveries d LEFT JOIN LATERAL (SELECT * FROM attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1) a ON true WHERE d.id = $1`;
