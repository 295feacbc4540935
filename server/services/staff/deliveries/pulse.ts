import { z } from "zod";
import type { Query } from "@/server/db/client";
import { binding } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { text } from "@/server/services/fields";
import { deliveryFilters } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { isOverdue } from "@/server/services/staff/deliveries/rows";
import { selected } from "@/server/services/staff/deliveries/selection";
import type { DeliveryPulse } from "@/server/services/staff/deliveries/shapes";
import { MOST_COUNTED, PAGE } from "@/server/services/staff/paging";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

const shown = z.object({ ...deliveryFilters, open: text({ min: 1, max: 600 }).optional() });

/** What tells a page that shows matching deliveries, and one of them open, whether there is something new. Throws invalid. */
export const deliveryPulse = staffProcedure
  .input(staffInput(shown))
  .query(async ({ ctx, input: { open, ...filters } }): Promise<DeliveryPulse> => {
    const narrowed = await narrow(ctx.db.query, filters);
    if (narrowed === null) return { ...nothing, open: await footprintOf(ctx.db.query, open) };
    const bound = binding();
    const first = selected(narrowed, { most: PAGE }, bound);
    const isPendingAsked = narrowed.states.length === 0 || narrowed.states.includes("pending");
    const most = isPendingAsked ? MOST_COUNTED : 0;
    const pending = selected({ ...narrowed, states: ["pending"] }, { most, due: true }, bound);
    const now = `coalesce(${bound.put(databaseTime())}::timestamptz, clock_timestamp())`;
    const row = await queryOne<Omit<DeliveryPulse, "open">>(
      ctx.db.query,
      `WITH k AS MATERIALIZED (${first}), shown AS (SELECT md5(string_agg(${footprint}, ',' ORDER BY d.created_at DESC, d.id DESC)) AS page
  FROM k JOIN deliveries d ON d.id = k.id)
SELECT (SELECT id FROM k ORDER BY created_at DESC, id DESC LIMIT 1) AS newest, (SELECT coalesce(page, '') FROM shown) AS page,
  count(*)::int AS pending, (count(*) FILTER (WHERE ${isOverdue(now)}))::int AS late
FROM (${pending}) d`,
      bound.values,
    );
    return { ...row, open: await footprintOf(ctx.db.query, open) };
  });

const nothing: Omit<DeliveryPulse, "open"> = { newest: null, page: "", pending: 0, late: 0 };

// The beginning of an attempt counts it; its end sets what it came to, and when the next one is due.
const footprint = `concat_ws(' ', d.id, d.state, d.attempts, coalesce(d.last_status, 0), coalesce(d.last_error, '-'), coalesce(d.replay_from, -1), d.next_attempt_at)`;

async function footprintOf(query: Query, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  const [row] = await query<{ footprint: string }>(
    `SELECT ${footprint} AS footprint FROM deliveries d WHERE d.id = $1`,
    [id],
  );
  return row?.footprint ?? null;
}
