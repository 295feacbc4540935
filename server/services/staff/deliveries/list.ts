import { z } from "zod";
import type { Connection } from "@/server/db/client";
import { runComposedOne } from "@/server/db/composed";
import { staffInput } from "@/server/services/input";
import { deliveryFilter, deliveryFilters } from "@/server/services/staff/deliveries/filters";
import { type NarrowedFilters, narrow } from "@/server/services/staff/deliveries/narrow";
import { newestRows } from "@/server/services/staff/deliveries/newest";
import { placeOf, rowOf, type StoredRow } from "@/server/services/staff/deliveries/rows";
import { deliveryCount, deliveryPage } from "@/server/services/staff/deliveries/searches.sql";
import type { DeliveryRow } from "@/server/services/staff/lists/deliveries";
import {
  type Count,
  cappedCount,
  MOST_COUNTED,
  type Page,
  type PageCursor,
  pageOf,
  paging,
} from "@/server/services/staff/lists/paging";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { attemptsOfAny } from "@/server/store/deliveries/attempts-of";

/** Lists deliveries, the newest first. Throws invalid. */
export const listDeliveries = scopedProcedure
  .input(staffInput(z.object({ ...deliveryFilters, ...paging("whd") })))
  .query(async ({ ctx, input: { after, limit, ...filters } }): Promise<Page<DeliveryRow>> => {
    const narrowed = await narrow(ctx.db.query, filters, ctx.scope.applications);
    if (narrowed === null) return { items: [], next: null };
    return await readDeliveries(ctx.db, { narrowed, after, limit, now: ctx.now });
  });

interface DeliveriesOf {
  narrowed: NarrowedFilters;
  after?: PageCursor;
  limit: number;
  now: number;
}

export async function readDeliveries(
  { query, prisma }: Connection,
  { limit, ...search }: DeliveriesOf,
): Promise<Page<DeliveryRow>> {
  const rows = await newestRows(query, deliveryPage, { ...search, limit: limit + 1 });
  const ofStaff = await attemptedManually(prisma, rows);
  const item = (row: StoredRow) => rowOf(row, { manual: ofStaff.has(row.id) });
  return pageOf(rows, { limit, place: placeOf, item });
}

/**
 * Finds the deliveries with attempts that staff requested. Attempts beside the schedule are rare, so only their
 * deliveries are looked up.
 */
async function attemptedManually(
  prisma: Connection["prisma"],
  rows: readonly StoredRow[],
): Promise<ReadonlySet<string>> {
  const some = rows.filter(({ manualAttempts }) => manualAttempts > 0);
  if (some.length === 0) return new Set();
  const attempts = await prisma.attempt.findMany({
    select: { deliveryId: true },
    where: { ...attemptsOfAny(some), manual: true },
  });
  return new Set(attempts.map(({ deliveryId }) => deliveryId));
}

/** Counts matching deliveries, up to 10,000. Throws invalid. */
export const countDeliveries = scopedProcedure
  .input(staffInput(deliveryFilter))
  .query(async ({ ctx, input }): Promise<Count> => {
    const narrowed = await narrow(ctx.db.query, input, ctx.scope.applications);
    if (narrowed === null) return cappedCount(0);
    const row = await runComposedOne(ctx.db.query, deliveryCount, { narrowed, most: MOST_COUNTED + 1 });
    return cappedCount(row.n);
  });
