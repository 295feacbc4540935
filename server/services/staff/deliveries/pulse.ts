import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { deliveryFilters } from "@/server/services/staff/deliveries/filters";
import { type NarrowedFilters, narrow } from "@/server/services/staff/deliveries/narrow";
import { newestPulse } from "@/server/services/staff/deliveries/newest";
import { footprintOfDelivery } from "@/server/services/staff/deliveries/searches.sql";
import type { DeliveryPulse } from "@/server/services/staff/deliveries/shapes";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { findDelivery } from "@/server/store/deliveries/days";

const shown = z.object({ ...deliveryFilters, open: text({ min: 1, max: 600 }).optional() });

/** Returns values that change when a page of matching deliveries, or the open delivery, has something new. Throws invalid. */
export const deliveryPulse = scopedProcedure
  .input(staffInput(shown))
  .query(async ({ ctx, input: { open, ...filters } }): Promise<DeliveryPulse> => {
    const narrowed = await narrow(ctx.db.query, filters, ctx.scope.applications);
    const footprint = await footprintOf(ctx, open);
    return await readPulse(ctx.db.query, { narrowed, now: ctx.now, footprint });
  });

interface PulseOf {
  /** Null: nothing can match. */
  narrowed: NarrowedFilters | null;
  now: number;
  /** That of the open delivery. */
  footprint: string | null;
}

export async function readPulse(query: Query, { narrowed, now, footprint }: PulseOf): Promise<DeliveryPulse> {
  if (narrowed === null) return { ...nothing, open: footprint };
  const { shown: _, ...row } = await newestPulse(query, { narrowed, now });
  return { ...row, open: footprint };
}

const nothing: Omit<DeliveryPulse, "open"> = { newest: null, page: "", pending: 0, late: 0 };

interface Reader {
  db: Database;
  scope: Scope;
}

async function footprintOf({ db, scope }: Reader, id: string | undefined): Promise<string | null> {
  if (id === undefined || !(await scope.allows("delivery", id))) return null;
  const [row] = await findDelivery(id, ({ from, before }) => run(db.query, footprintOfDelivery, [id, from, before]));
  return row?.footprint ?? null;
}
