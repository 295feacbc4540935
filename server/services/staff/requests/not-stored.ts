import { z } from "zod";
import { queryOne } from "@/server/db/query-one";
import { text } from "@/server/services/fields";
import type { NotStored } from "@/server/services/staff/requests/shapes";
import { staffInput } from "@/server/services/staff/staff-input";
import { staffProcedure } from "@/server/services/staff/trpc";

const HOURS = 24;
const HOUR_MS = 3_600_000;

const input = z.object({ application: text({ min: 1, max: 100 }).optional() }).prefault({});

/** How many requests of the running hour and the 23 before it were counted only, of all callers or of one application. */
export const requestsNotStored = staffProcedure
  .input(staffInput(input))
  .query(async ({ input: { application }, ctx }): Promise<NotStored> => {
    const first = Math.floor(ctx.now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
    const row = await queryOne<{ count: number }>(
      ctx.db.query,
      `SELECT coalesce(sum(not_stored), 0)::int AS count FROM request_counts_by_hour
WHERE hour >= $1::timestamptz AND ($2::text IS NULL OR application_id = $2)`,
      [new Date(first), application ?? null],
    );
    return { count: row.count };
  });
