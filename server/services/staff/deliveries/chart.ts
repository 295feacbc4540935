import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { staffInput } from "@/server/services/input";
import { deliveryFilters } from "@/server/services/staff/deliveries/filters";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { type ChartGroup, chartGroups } from "@/server/services/staff/deliveries/searches.sql";
import type { DeliveryBar, DeliveryChart } from "@/server/services/staff/deliveries/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MOST_HOURS = 168;
/** Up to this length of the filtered time a bar stands for five minutes, beyond it for an hour. */
const FINE_UP_TO_MS = 3 * HOUR_MS;
const MICROS_IN_MS = 1_000;

const chartInput = z.object({ ...deliveryFilters, hours: z.int().min(1).max(MOST_HOURS).default(24) });

/**
 * Counts matching deliveries by outcome and time of creation: in the filtered time, else in the last hours, including
 * the current one. Null: the filters have no beginning, or cover more than a week. Throws invalid.
 */
export const chartDeliveries = scopedProcedure
  .input(staffInput(chartInput))
  .query(async ({ ctx, input: { hours, ...filters } }): Promise<DeliveryChart | null> => {
    const span = spanOf(filters, { hours, now: ctx.now });
    if (!span) return null;
    const width = filters.from && span.until - span.since <= FINE_UP_TO_MS ? 5 * MINUTE_MS : HOUR_MS;
    const narrowed = await narrow(ctx.db.query, filters, ctx.scope.applications);
    if (narrowed === null) return { ...chartOf([], span, width), minutes: width / MINUTE_MS };
    const from = narrowed.from ?? span.since * MICROS_IN_MS;
    const input = { narrowed: { ...narrowed, from }, minutes: width / MINUTE_MS };
    const groups = await runComposed(ctx.db.query, chartGroups, input);
    return { ...chartOf(groups, span, width), minutes: width / MINUTE_MS };
  });

/** In milliseconds since 1970, the end excluded. */
interface Span {
  since: number;
  until: number;
}

function spanOf(
  { from, to }: { from?: { micros: number }; to?: { micros: number } },
  { hours, now }: { hours: number; now: number },
): Span | null {
  if (!from && to) return null;
  const thisHour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const since = from ? from.micros / MICROS_IN_MS : thisHour - (hours - 1) * HOUR_MS;
  const until = Math.max(since, Math.min(to ? to.micros / MICROS_IN_MS : Number.POSITIVE_INFINITY, now + 1));
  return until - since > MOST_HOURS * HOUR_MS ? null : { since, until };
}

function chartOf(
  groups: readonly ChartGroup[],
  { since, until }: Span,
  width: number,
): Pick<DeliveryChart, "bars" | "errors"> {
  const bars: DeliveryBar[] = [];
  const first = since < until ? Math.floor(since / width) * width : until;
  for (let at = first; at < until; at += width) bars.push({ at: new Date(at).toISOString(), ...empty });
  const byTime = new Map(bars.map((bar) => [Date.parse(bar.at), bar]));
  const errors = new Map<string, number>();
  for (const { at, kind, retried, class: errorClass, n } of groups) {
    const bar = byTime.get(at.getTime());
    if (bar) {
      bar[kind] += n;
      if (retried) bar.retried += n;
    }
    if (errorClass !== null) errors.set(errorClass, (errors.get(errorClass) ?? 0) + n);
  }
  const counted = [...errors].map(([errorClass, count]) => ({ errorClass, count }));
  return { bars, errors: counted.sort((a, b) => b.count - a.count || (a.errorClass < b.errorClass ? -1 : 1)) };
}

const empty = { delivered: 0, failed: 0, cancelled: 0, queued: 0, retrying: 0, retried: 0 };
