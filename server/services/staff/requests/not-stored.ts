import { z } from "zod";
import { text } from "@/server/services/fields";
import { staffInput } from "@/server/services/input";
import { scopedProcedure } from "@/server/services/staff/procedure/trpc";
import type { UnstoredRequests } from "@/server/services/staff/requests/shapes";

const HOURS = 24;
const HOUR_MS = 3_600_000;

const input = z.object({ application: text({ min: 1, max: 100 }).optional() }).prefault({});

/** Counts the requests of the current hour and the 23 before it that were not stored, of all callers or of one application. */
export const requestsNotStored = scopedProcedure
  .input(staffInput(input))
  .query(async ({ input: { application }, ctx }): Promise<UnstoredRequests> => {
    const first = Math.floor(ctx.now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
    const ofOne = application === undefined ? {} : { applicationId: application };
    const within = ctx.scope.applications === null ? {} : { applicationId: { in: [...ctx.scope.applications] } };
    if (ctx.scope.applications?.length === 0) return { count: 0 };
    const { _sum } = await ctx.db.prisma.requestCountByHour.aggregate({
      _sum: { notStored: true },
      where: { hour: { gte: new Date(first) }, AND: [ofOne, within] },
    });
    return { count: _sum.notStored ?? 0 };
  });
