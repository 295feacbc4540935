import { databaseTime } from "@/server/db/database-time";
import { binding } from "@/server/services/staff/binding";
import { deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { isOverdue } from "@/server/services/staff/deliveries/rows";
import { selected } from "@/server/services/staff/deliveries/selection";
import type { DeliveryPulse } from "@/server/services/staff/deliveries/shapes";
import { MOST_COUNTED } from "@/server/services/staff/paging";
import { taking } from "@/server/services/staff/taking";
import { staffProcedure } from "@/server/services/staff/trpc";

/** What tells a page that shows matching deliveries whether there is something new. Throws invalid. */
export const deliveryPulse = staffProcedure
  .input(taking(deliveryFilter))
  .query(async ({ ctx, input }): Promise<DeliveryPulse> => {
    const narrowed = await narrow(ctx.db.query, input);
    if (narrowed === null) return { newest: null, pending: 0, late: 0 };
    const bound = binding();
    const newest = selected(narrowed, { most: 1 }, bound);
    const isPendingAsked = narrowed.states.length === 0 || narrowed.states.includes("pending");
    const most = isPendingAsked ? MOST_COUNTED : 0;
    const pending = selected({ ...narrowed, states: ["pending"] }, { most, due: true }, bound);
    const now = `coalesce(${bound.put(databaseTime())}::timestamptz, clock_timestamp())`;
    const [row] = await ctx.db.query<DeliveryPulse>(
      `SELECT (SELECT id FROM (${newest}) k) AS newest, count(*)::int AS pending, (count(*) FILTER (WHERE ${isOverdue(now)}))::int AS late
FROM (${pending}) d`,
      bound.values,
    );
    return row ?? { newest: null, pending: 0, late: 0 };
  });
