import { z } from "zod";
import { databaseTime } from "@/server/db/database-time";
import { text } from "@/server/services/fields";
import { type Binding, binding } from "@/server/services/staff/binding";
import { type Narrowed, narrow } from "@/server/services/staff/deliveries/narrow";
import type { DeliveryChart, DeliveryHour } from "@/server/services/staff/deliveries/shapes";
import { taking } from "@/server/services/staff/taking";
import { staffProcedure } from "@/server/services/staff/trpc";

const MOST_HOURS = 168;
const word = text({ min: 1, max: 600 });
const asked = z.object({
  application: word.optional(),
  account: word.optional(),
  channel: word.optional(),
  hours: z.int().min(1).max(MOST_HOURS).default(24),
});

/** What became of the deliveries of the last hours, by the hour of their creation, the running one included. Throws invalid. */
export const chartDeliveries = staffProcedure
  .input(taking(asked))
  .query(async ({ ctx, input: { hours, ...filters } }): Promise<DeliveryChart> => {
    const narrowed = await narrow(ctx.db.query, filters);
    const { values, put } = binding();
    const now = `coalesce(${put(databaseTime())}::timestamptz, clock_timestamp())`;
    const owner = ownerIs(narrowed, put);
    const times = `date_trunc('hour', ${now}, 'UTC') - make_interval(hours => ${put(hours - 1)}::int) AS since, ${now} AS now`;
    const [row] = await ctx.db.query<{ hours: DeliveryHour[] | null; errors: DeliveryChart["errors"] | null }>(
      charting(times, owner),
      values,
    );
    return { hours: row?.hours ?? [], errors: row?.errors ?? [] };
  });

function ownerIs(narrowed: Narrowed | null, put: Binding["put"]): string {
  if (narrowed === null) return "false";
  const { channels, application } = narrowed;
  if (channels !== null) return `d.channel_id = ANY (${put(channels)}::text[])`;
  return application === null ? "true" : `d.application_id = ${put(application)}`;
}

// Grouped once, into few rows: a week of everybody's is read in one pass.
const charting = (times: string, owner: string) => `WITH t AS MATERIALIZED (SELECT ${times}),
g AS MATERIALIZED (SELECT date_bin('1 hour', d.created_at, '2000-01-01Z') AS at, d.state, d.attempts > 1 AS retried,
    coalesce(d.last_error, d.last_status / 100 || 'xx') AS class, count(*) AS n
  FROM deliveries d WHERE d.created_at >= (SELECT since FROM t) AND ${owner} GROUP BY 1, 2, 3, 4),
h AS (SELECT at, sum(n) FILTER (WHERE state = 'delivered') AS delivered, sum(n) FILTER (WHERE state = 'failed') AS failed,
  sum(n) FILTER (WHERE retried) AS retried, sum(n) FILTER (WHERE state = 'pending') AS pending FROM g GROUP BY at),
e AS (SELECT class, sum(n) AS n FROM g WHERE state <> 'delivered' AND class IS NOT NULL GROUP BY 1)
SELECT (SELECT json_agg(json_build_object('at', to_char(s.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'delivered', coalesce(h.delivered, 0), 'failed', coalesce(h.failed, 0), 'retried', coalesce(h.retried, 0), 'pending', coalesce(h.pending, 0))
    ORDER BY s.at) FROM t, generate_series(t.since, date_trunc('hour', t.now, 'UTC'), interval '1 hour') s(at)
    LEFT JOIN h ON h.at = s.at) AS hours,
  (SELECT json_agg(json_build_object('errorClass', class, 'count', n) ORDER BY n DESC, class) FROM e) AS errors`;
