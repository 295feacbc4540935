import { z } from "zod";
import { databaseTime } from "@/server/db/database-time";
import { newId } from "@/server/db/new-id";
import { run } from "@/server/db/statement";
import { wakeBulkRetry } from "@/server/db/wake";
import { staffInput } from "@/server/services/input";
import { invalid, Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { type DeliveryFilters, deliveryFilter, requestedFilters } from "@/server/services/staff/deliveries/filters";
import { readReplay } from "@/server/services/staff/deliveries/replays/list";
import { countReplayable } from "@/server/services/staff/deliveries/replays/preview";
import { insertReplay } from "@/server/services/staff/deliveries/replays/replays.sql";
import type { ReplayPreview, ReplayRow } from "@/server/services/staff/deliveries/shapes";
import { isNarrow } from "@/server/services/staff/lists/deliveries";
import { MOST_COUNTED } from "@/server/services/staff/lists/paging";
import type { Scope } from "@/server/services/staff/procedure/scope";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

/** New deliveries arrive while somebody reads: the count that they saw may be off by this many, or by a twentieth. */
const FEW = 5;
const MOST_OFF = 0.05;

const startInput = z.object({ filters: deliveryFilter, count: z.int().min(1) });

/**
 * Begins to send all deliveries again that match now, the newest first. `count` is what the operator was shown. Throws
 * not_found for an application of others; invalid when no filter except the time narrows the deliveries; conflict when
 * the count differs from what matches, all are on closed channels, or more than 10,000 match.
 */
export const startReplay = scopedProcedure
  .input(staffInput(startInput))
  .mutation(async ({ ctx, input: { filters: given, count } }): Promise<ReplayRow> => {
    const filters = await ofOneApplication(given, ctx.scope);
    if (!isNarrow(filters)) throw invalid(everybodys);
    const preview = await countReplayable(ctx, filters);
    const fault = faultOf(preview, count);
    if (fault) throw new Refusal({ kind: "conflict", text: fault });
    const id = newId("rpl");
    const { total } = preview;
    const shown = requestedFilters(filters);
    await ctx.db.transaction(async (query, prisma) => {
      await run(query, insertReplay, [id, ctx.operator.id, JSON.stringify(shown), total, databaseTime()]);
      await audit(prisma, ctx, { action: "replay.started", object: id, detail: { filters: shown, total } });
    });
    wakeBulkRetry(id);
    await ctx.scope.expect("replay", id);
    return await readReplay(ctx.db.query, id);
  });

/** Adds the application to the filters of a developer's bulk retry, which goes on without the person who began it. */
async function ofOneApplication(filters: DeliveryFilters, scope: Scope): Promise<DeliveryFilters> {
  if (filters.application !== undefined) await scope.expect("application", filters.application);
  if (scope.applications === null || filters.application !== undefined) return filters;
  const [application, another] = scope.applications;
  if (another !== undefined) throw invalid(severals);
  return { ...filters, application };
}

const severals = {
  path: ["filters"],
  key: "errors.invalid",
  description: "Filters must include one application.",
} as const;

const everybodys = {
  path: ["filters"],
  key: "errors.invalid",
  description: "Filters must include more than a time: otherwise every application's deliveries would be retried.",
} as const;

function faultOf({ total, closed, more }: ReplayPreview, count: number): string | null {
  if (more) return `More than ${MOST_COUNTED.toLocaleString("en")} deliveries match. Narrow the filters.`;
  if (total === 0) return "No deliveries match anymore.";
  if (closed === total) return "None can be sent: their channels are closed.";
  const isNear = Math.abs(total - count) <= Math.max(FEW, total * MOST_OFF);
  return isNear
    ? null
    : `${total.toLocaleString("en")} deliveries match now, not ${count.toLocaleString("en")}. Reload and check again.`;
}
