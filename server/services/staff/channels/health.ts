import { z } from "zod";
import { databaseTime } from "@/server/db/database-time";
import { queryOne } from "@/server/db/query-one";
import { text } from "@/server/services/fields";
import { Refusal } from "@/server/services/refusal";
import { channelColumns, channelOf, channelTables, type StoredChannel } from "@/server/services/staff/channels/list";
import type { ChannelHealth } from "@/server/services/staff/channels/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

/** Failures in a row are counted to here. */
const MOST_IN_A_ROW = 100;
/** A delivery has its attempts within 48 hours of its creation, or when staff ask: the newest so many are looked at. */
const MOST_LOOKED_AT = 2_000;

interface Measured {
  attempts: number;
  successes: number;
  p50Ms: number | null;
  p95Ms: number | null;
  oldestPendingAt: Date | null;
  consecutiveFailures: number;
}

/** How a channel's receiver does. Throws not_found. */
export const channelHealth = staffProcedure
  .input(staffInput(z.object({ id: text({ min: 1, max: 600 }) })))
  .query(async ({ ctx, input: { id } }): Promise<ChannelHealth> => {
    const [channel] = await ctx.db.query<StoredChannel>(
      `SELECT ${channelColumns} FROM ${channelTables} WHERE c.id = $1`,
      [id],
    );
    if (!channel) throw new Refusal({ kind: "not_found" });
    const found = await queryOne<Measured>(ctx.db.query, measuring, [
      id,
      databaseTime(),
      MOST_LOOKED_AT,
      MOST_IN_A_ROW,
    ]);
    const { attempts, successes, p50Ms, p95Ms, oldestPendingAt, consecutiveFailures } = found;
    return {
      ...channelOf(channel),
      successRate24h: attempts === 0 ? null : successes / attempts,
      p50Ms,
      p95Ms,
      oldestPendingAt: oldestPendingAt?.toISOString() ?? null,
      consecutiveFailures,
    };
  });

// The pending ones come from their own index: the channel's would be read whole where none is pending.
const measuring = `WITH t AS (SELECT coalesce($2::timestamptz, clock_timestamp()) AS now),
newest AS MATERIALIZED (SELECT d.id FROM deliveries d, t WHERE d.channel_id = $1 AND d.created_at > t.now - interval '72 hours'
  ORDER BY d.created_at DESC LIMIT $3),
tried AS MATERIALIZED (SELECT a.started_at, a.duration_ms, coalesce(a.status BETWEEN 200 AND 299, false) AS arrived
  FROM newest n JOIN attempts a ON a.delivery_id = n.id),
day AS (SELECT * FROM tried, t WHERE started_at > t.now - interval '24 hours'),
last_success AS (SELECT max(started_at) AS at FROM tried WHERE arrived)
SELECT (SELECT count(*)::int FROM day) AS attempts, (SELECT count(*)::int FROM day WHERE arrived) AS successes,
  (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) FROM day) AS "p50Ms",
  (SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) FROM day) AS "p95Ms",
  (SELECT min(created_at) FROM deliveries WHERE state = 'pending' AND channel_id || '' = $1) AS "oldestPendingAt",
  (SELECT least(count(*), $4)::int FROM tried WHERE started_at > coalesce((SELECT at FROM last_success), '-infinity')) AS "consecutiveFailures"`;
