import { z } from "zod";
import type { Query } from "@/server/db/client";
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
import { readDeliveries } from "@/server/services/staff/deliveries/list";
import { narrow } from "@/server/services/staff/deliveries/narrow";
import { readPulse } from "@/server/services/staff/deliveries/pulse";
import { endpointPage } from "@/server/services/staff/endpoints/endpoints.sql";
import { endpointRow } from "@/server/services/staff/endpoints/list";
import type { EndpointDetail, EndpointPage } from "@/server/services/staff/endpoints/shapes";
import { cappedCount } from "@/server/services/staff/lists/paging";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { lastHours, timeText } from "@/server/store/deliveries/days";

const HOUR_MS = 3_600_000;
const id = text({ min: 1, max: 600 });
/** How far back the last attempt is looked for, and the longest chart. */
const MOST_HOURS = 7 * 24;

/** How many of its deliveries are read. */
const SHOWN = 20;

const input = z.object({ id, hours: z.union([z.literal(24), z.literal(MOST_HOURS)]).default(24) });

/**
 * Loads one endpoint with its complete callback URL, its attempts by hour including the current one, and its newest
 * deliveries, all as of one moment, and notes that in the audit trail. Throws not_found.
 */
export const getEndpoint = scopedProcedure
  .input(staffInput(input))
  .query(async ({ ctx, input: { id, hours } }): Promise<EndpointPage> => {
    await ctx.scope.expect("channel", id);
    const page = await ctx.db.snapshot(async (query, prisma) => {
      const endpoint = await readEndpoint(query, id, ctx.now);
      const bars = await readBars(query, { id, hours, now: ctx.now });
      const narrowed = await narrow(query, { channel: id }, ctx.scope.applications);
      const pulse = await readPulse(query, { narrowed, now: ctx.now, footprint: null });
      if (!endpoint || !narrowed) throw new Refusal({ kind: "not_found" });
      const { items } = await readDeliveries({ query, prisma }, { narrowed, limit: SHOWN, now: ctx.now });
      return { ...endpoint, bars, deliveries: items, pulse };
    });
    await noteViewing(ctx, { action: "endpoint.viewed", object: id });
    return page;
  });

async function readEndpoint(query: Query, id: string, now: number): Promise<EndpointDetail | null> {
  const { from, before } = lastHours(now, MOST_HOURS);
  const measured = lastHours(now, MEASURED_HOURS);
  const [row] = await runComposed(query, endpointPage, { channels: [id], limit: 1, measured });
  const [channel] = await runComposed(query, channelPage, { id, limit: 1 });
  const { lastAttemptAt, oldestPendingAt, waiting } = await runOne(query, lastTimes, [id, from, before]);
  if (!row || !channel) return null;
  return {
    ...endpointRow(row),
    callbackUrl: row.callbackUrl,
    filters: shownFilters(channel),
    isOfTrigger: channel.isOfTrigger,
    trigger: channel.trigger,
    lastAttemptAt: lastAttemptAt?.toISOString() ?? null,
    oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
    waiting: cappedCount(waiting),
  };
}

interface BarsOf {
  id: string;
  hours: number;
  now: number;
}

async function readBars(query: Query, { id, hours, now }: BarsOf): Promise<EndpointPage["bars"]> {
  const since = Math.floor(now / HOUR_MS) * HOUR_MS - (hours - 1) * HOUR_MS;
  const counted = await run(query, attemptsByHour, [id, timeText(since * 1_000), lastHours(now, hours).before]);
  const byTime = new Map(counted.map((hour) => [hour.at.getTime(), hour]));
  return Array.from({ length: hours }, (_, n) => barOf(since + n * HOUR_MS, byTime));
}

function barOf(at: number, byTime: ReadonlyMap<number, HourOfAttempts>): EndpointPage["bars"][number] {
  const { succeeded = 0, failed = 0 } = byTime.get(at) ?? {};
  return { at: new Date(at).toISOString(), succeeded, failed };
}
