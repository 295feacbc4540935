import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import { databaseTime } from "@/server/db/database-time";
import { run, runOne } from "@/server/db/statement";
import { shownFilters } from "@/server/domain/channels/notification";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { noteViewing } from "@/server/services/staff/audit/viewing";
import { channelPage, measureChannel } from "@/server/services/staff/channels/channels.sql";
import { attemptsByHour, type HourOfAttempts } from "@/server/services/staff/endpoints/attempts.sql";
import { endpointPage } from "@/server/services/staff/endpoints/endpoints.sql";
import { endpointRow } from "@/server/services/staff/endpoints/list";
import type { EndpointChart, EndpointDetail } from "@/server/services/staff/endpoints/shapes";
import { staffInput } from "@/server/services/staff/procedure/staff-input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";

const HOUR_MS = 3_600_000;
const id = text({ min: 1, max: 600 });
/** A delivery has its attempts within 48 hours of its creation, or when staff ask: the newest so many are looked at. */
const MOST_MEASURED = 2_000;
const MOST_CHARTED = 10_000;

/** One endpoint with its whole callback URL, which is noted in the audit trail. Throws not_found. */
export const getEndpoint = scopedProcedure
  .input(staffInput(z.object({ id })))
  .query(async ({ ctx, input }): Promise<EndpointDetail> => {
    await ctx.scope.expect("channel", input.id);
    const [[row], [channel], measured] = await Promise.all([
      runComposed(ctx.db.query, endpointPage, { channels: [input.id], limit: 1 }),
      runComposed(ctx.db.query, channelPage, { id: input.id, limit: 1 }),
      runOne(ctx.db.query, measureChannel, [input.id, databaseTime(), MOST_MEASURED]),
    ]);
    if (!row || !channel) throw new Refusal({ kind: "not_found" });
    await noteViewing(ctx, { action: "endpoint.viewed", object: input.id });
    const { attempts, successes, p50Ms, p95Ms, oldestPendingAt } = measured;
    return {
      ...endpointRow(row),
      callbackUrl: row.callbackUrl,
      filters: shownFilters(channel),
      attempts24h: attempts,
      successRate24h: attempts === 0 ? null : successes / attempts,
      p50Ms,
      p95Ms,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
    };
  });

/** How many attempts of an endpoint succeeded and failed, hour by hour, the running one included. Throws not_found. */
export const chartEndpoint = scopedProcedure
  .input(staffInput(z.object({ id, hours: z.union([z.literal(24), z.literal(168)]).default(24) })))
  .query(async ({ ctx, input: { id, hours } }): Promise<EndpointChart> => {
    const [known] = await ctx.scope.find("channel", [id]);
    if (known === undefined) throw new Refusal({ kind: "not_found" });
    const since = Math.floor(ctx.now / HOUR_MS) * HOUR_MS - (hours - 1) * HOUR_MS;
    const counted = await run(ctx.db.query, attemptsByHour, [id, new Date(since), MOST_CHARTED]);
    const byTime = new Map(counted.map((hour) => [hour.at.getTime(), hour]));
    return { bars: Array.from({ length: hours }, (_, n) => barOf(since + n * HOUR_MS, byTime)) };
  });

function barOf(at: number, byTime: ReadonlyMap<number, HourOfAttempts>): EndpointChart["bars"][number] {
  const { succeeded = 0, failed = 0 } = byTime.get(at) ?? {};
  return { at: new Date(at).toISOString(), succeeded, failed };
}
