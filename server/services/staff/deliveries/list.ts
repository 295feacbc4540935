import { z } from "zod";
import { runComposed, runComposedOne } from "@/server/db/composed";
import { deliveryFilter, deliveryFilters } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { placeOf, rowOf } from "@/server/services/staff/deliveries/rows";
import { deliveryCount, deliveryPage } from "@/server/services/staff/deliveries/searches.sql";
import type { DeliveryRow } from "@/server/services/staff/deliveries/shapes";
import { type Count, counted, MOST_COUNTED, type Page, pageOf, paging } from "@/server/services/staff/lists/paging";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Deliveries, the newest first. Throws invalid. */
export const listDeliveries = scopedProcedure
  .input(staffInput(z.object({ ...deliveryFilters, ...paging("whd") })))
  .query(async ({ ctx, input: { after, limit, ...filters } }): Promise<Page<DeliveryRow>> => {
    const narrowed = await narrow(ctx.db.query, filters, ctx.scope.applications);
    if (narrowed === null) return { items: [], next: null };
    const rows = await runComposed(ctx.db.query, deliveryPage, { narrowed, after, limit: limit + 1 });
    return pageOf(rows, { limit, place: placeOf, item: rowOf });
  });

/** How many deliveries match, counted to 10,000. Throws invalid. */
export const countDeliveries = scopedProcedure
  .input(staffInput(deliveryFilter))
  .query(async ({ ctx, input }): Promise<Count> => {
    const narrowed = await narrow(ctx.db.query, input, ctx.scope.applications);
    if (narrowed === null) return counted(0);
    const row = await runComposedOne(ctx.db.query, deliveryCount, { narrowed, most: MOST_COUNTED + 1 });
    return counted(row.n);
  });
