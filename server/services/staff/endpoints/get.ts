import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { run, runOne } from "@/server/db/statement";
import { shownFilters } from "@/server/domain/channels/notification";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { noteViewing } from "@/server/services/staff/audit/viewing";
import {
  attemptsByHour,
  type HourOfAttempts,
  lastTimes,
  MEASURED_HOURS,
} from "@/server/services/staff/channels/attempts.sql";
import { channelPage } from "@/server/services/staff/channels/channels.sql";
import { endpointPage } from "@/server/services/staff/endpoints/endpoints.sql";
import { endpointRow } from "@/server/services/staff/endpoints/list";
import type { EndpointChart, EndpointDetail } from "@/server/services/staff/endpoints/shapes";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { lastHours, timeText } from "@/server/store/deliveries/days";

const HOUR_MS = 3_600_000;
const id = text({ min: 1, max: 600 });
/** How far back the last attempt is looked for, and the longest chart. */
const MOST_HOURS = 7 * 24;

/** Loads one endpoint with its complete callback URL, and notes that in the audit trail. Throws not_found. */
export const getEndpoint = scopedProcedure
  .input(staffInput(z.object({ id })))
  .query(async ({ ctx, input }): Promise<EndpointDetail> => {
    await ctx.scope.expect("channel", input.id);
    const { from, before } = lastHours(ctx.now, MOST_HOURS);
    const measured = lastHours(ctx.now, MEASURED_HOURS);
    const [[row], [channel], { lastAttemptAt, oldestPendingAt }] = await Promise.all([
      runComposed(ctx.db.query, endpointPage, { channels: [input.id], limit: 1, measured }),
      runComposed(ctx.db.query, channelPage, { id: input.id, limit: 1 }),
      runOne(ctx.db.query, lastTimes, [input.id, from, before]),
    ]);
    if (!row || !channel) throw new Refusal({ kind: "not_found" });
    await noteViewing(ctx, { action: "endpoint.viewed", object: input.id });
    return {
      ...endpointRow(row),
      callbackUrl: row.callbackUrl,
      filters: shownFilters(channel),
      lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
    };
  });

/** Counts an endpoint's successful and failed attempts by hour, including the current one. Throws not_found. */
export const chartEndpoint = scopedProcedure
  .input(staffInput(z.object({ id, hours: z.union([z.literal(24), z.literal(MOST_HOURS)]).default(24) })))
  .query(async ({ ctx, input: { id, hours } }): Promise<EndpointChart> => {
    const [channel] = await ctx.scope.find("channel", [id]);
    if (channel === undefined) throw new Refusal({ kind: "not_found" });
    const since = Math.floor(ctx.now / HOUR_MS) * HOUR_MS - (hours - 1) * HOUR_MS;
    const from = timeText(since * 1_000);
    const counted = await run(ctx.db.query, attemptsByHour, [id, from, lastHours(ctx.now, hours).before]);
    const byTime = new Map(counted.map((hour) => [hour.at.getTime(), hour]));
    return { bars: Array.from({ length: hours }, (_, n) => barOf(since + n * HOUR_MS, byTime)) };
  });

function barOf(at: number, byTime: ReadonlyMap<number, HourOfAttempts>): EndpointChart["bars"][number] {
  const { succeeded = 0, failed = 0 } = byTime.get(at) ?? {};
  return { at: new Date(at).toISOString(), succeeded, failed };
}
