import { z } from "zod";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { text } from "@/server/services/fields";
import { conditionsOf } from "@/server/services/staff/requests/filters";
import { faceted } from "@/server/services/staff/requests/search";
import type { ErrorGroup } from "@/server/services/staff/requests/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

const LONGEST_HOURS = 48;
const HOUR_MS = 3_600_000;
const MICROS_IN_MS = 1_000;
const MOST_GROUPS = 200;
/** Of so many answers at most, the newest: a bad day must not make the page slow. */
const MOST_ANSWERS = 20_000;

const input = z
  .object({
    hours: z.int().min(1).max(LONGEST_HOURS).default(24),
    application: text({ min: 1, max: 100 }).optional(),
  })
  .prefault({});

/** What was refused in the last hours, by route and key, the most frequent first; answers without a key count under their status. */
export const requestErrors = staffProcedure
  .input(staffInput(input))
  .query(async ({ input: { hours, application }, ctx }): Promise<ErrorGroup[]> => {
    const from = { micros: (ctx.now - hours * HOUR_MS) * MICROS_IN_MS };
    const search = { conditions: conditionsOf({ statusClass: ["4xx", "5xx"], application, from }), now: ctx.now };
    const days = { first: dayOf((ctx.now - hours * HOUR_MS) as Instant), last: dayOf(ctx.now as Instant) };
    const refused = faceted(search, days, "id, at, method, endpoint, status, error_keys");
    const groups = await ctx.db.query<Omit<ErrorGroup, "last"> & { last: Date }>(
      `SELECT r.endpoint, r.method, key, count(*)::int AS count, max(r.at) AS last, (array_agg(r.id::text ORDER BY r.at DESC))[1] AS "sampleId"
FROM (${refused.text} ORDER BY at + interval '0' DESC LIMIT ${MOST_ANSWERS}) r CROSS JOIN LATERAL unnest(CASE WHEN r.error_keys = '{}' THEN ARRAY[r.status::text] ELSE r.error_keys END) AS key
GROUP BY 1, 2, 3 ORDER BY count DESC, last DESC LIMIT ${MOST_GROUPS}`,
      refused.values,
    );
    return groups.map(({ last, ...group }) => ({ ...group, last: last.toISOString() }));
  });
