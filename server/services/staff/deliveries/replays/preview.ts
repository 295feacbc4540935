import type { Database } from "@/server/db/client";
import { runComposed } from "@/server/db/composed";
import { staffInput } from "@/server/services/input";
import { type DeliveryFilters, deliveryFilter } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { retryGroups } from "@/server/services/staff/deliveries/searches.sql";
import type { ReplayPreview } from "@/server/services/staff/deliveries/shapes";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** Counts by state what a bulk retry of matching deliveries would send, up to 10,000. Throws invalid. */
export const previewReplay = scopedProcedure
  .input(staffInput(deliveryFilter))
  .query(({ ctx, input }) => countReplayable(ctx, input));

interface Reader {
  db: Database;
  scope: Scope;
}

/** Counts matching deliveries by state, those on closed channels apart. */
export async function countReplayable({ db, scope }: Reader, filters: DeliveryFilters): Promise<ReplayPreview> {
  const narrowed = await narrow(db.query, filters, scope.applications);
  if (narrowed === null) return { states: {}, closed: 0, total: 0, more: false };
  const groups = await runComposed(db.query, retryGroups, { narrowed, most: MOST_COUNTED + 1 });
  const sum = (some: typeof groups) => some.reduce((total, { n }) => total + n, 0);
  const total = sum(groups);
  return {
    states: Object.fromEntries(groups.filter(({ closed }) => !closed).map(({ state, n }) => [state, n])),
    closed: sum(groups.filter(({ closed }) => closed)),
    total,
    more: total > MOST_COUNTED,
  };
}
