import { z } from "zod";
import { runComposed } from "@/server/db/composed";
import type { Instant } from "@/server/domain/time/instant";
import { dayOf } from "@/server/domain/time/utc-day";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { errorGroupings } from "@/server/services/staff/lists/requests";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import { conditionsOf } from "@/server/services/staff/requests/filters";
import { errorGroups } from "@/server/services/staff/requests/requests.sql";
import type { ErrorGroup } from "@/server/services/staff/requests/shapes";

const LONGEST_HOURS = 48;
const HOUR_MS = 3_600_000;
const MICROS_IN_MS = 1_000;

const input = z
  .object({
    hours: z.int().min(1).max(LONGEST_HOURS).default(24),
    application: text({ min: 1, max: 100 }).optional(),
    by: z.enum(errorGroupings).default("error"),
  })
  .prefault({});

/**
 * Counts refusals of the last hours by route and key, the most frequent first; responses without a key count under
 * their status. Grouped by application or account, each group says how many of its kind it is.
 */
export const requestErrors = scopedProcedure
  .input(staffInput(input))
  .query(async ({ input: { hours, application, by }, ctx }): Promise<ErrorGroup[]> => {
    const from = { micros: (ctx.now - hours * HOUR_MS) * MICROS_IN_MS };
    const conditions = conditionsOf({ statusClass: ["4xx", "5xx"], application, from }, ctx.scope.applications);
    const days = { first: dayOf((ctx.now - hours * HOUR_MS) as Instant), last: dayOf(ctx.now as Instant) };
    const groups = await runComposed(ctx.db.query, errorGroups, { conditions, days, by });
    return groups.map(({ last, ...group }) => ({ ...group, last: last.toISOString() }));
  });
