import { z } from "zod";
import { binding } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { deliveryFilter, deliveryFilters } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { placeOf, rowColumns, rowOf, type StoredRow } from "@/server/services/staff/deliveries/rows";
import { countOf, selected } from "@/server/services/staff/deliveries/selection";
import type { DeliveryRow } from "@/server/services/staff/deliveries/shapes";
import { type Count, counted, MOST_COUNTED, type Page, pageOf, paging } from "@/server/services/staff/paging";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

/** Deliveries, the newest first. Throws invalid. */
export const listDeliveries = staffProcedure
  .input(staffInput(z.object({ ...deliveryFilters, ...paging("whd") })))
  .query(async ({ ctx, input: { after, limit, ...filters } }): Promise<Page<DeliveryRow>> => {
    const narrowed = await narrow(ctx.db.query, filters);
    if (narrowed === null) return { items: [], next: null };
    const bound = binding();
    const found = selected(narrowed, { after, most: limit + 1 }, bound);
    const now = `coalesce(${bound.put(databaseTime())}::timestamptz, clock_timestamp())`;
    const rows = await ctx.db.query<StoredRow>(
      `WITH k AS MATERIALIZED (${found})
SELECT ${rowColumns(now)} FROM k JOIN deliveries d ON d.id = k.id JOIN channels c ON c.id = d.channel_id LEFT JOIN applications p ON p.id = d.application_id
ORDER BY k.created_at DESC, k.id DESC`,
      bound.values,
    );
    return pageOf(rows, { limit, place: placeOf, item: rowOf });
  });

/** How many deliveries match, counted to 10,000. Throws invalid. */
export const countDeliveries = staffProcedure
  .input(staffInput(deliveryFilter))
  .query(async ({ ctx, input }): Promise<Count> => {
    const narrowed = await narrow(ctx.db.query, input);
    if (narrowed === null) return counted(0);
    const bound = binding();
    const row = await queryOne<{ n: number }>(ctx.db.query, countOf(narrowed, MOST_COUNTED + 1, bound), bound.values);
    return counted(row.n);
  });
