import type { z } from "zod";
import type { Database } from "@/server/db/client";
import type { CalendarFeed } from "@/server/db/generated/client";
import type { FeedDetail } from "@/server/domain/feeds";
import { isFaulty } from "@/server/domain/text";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { FeedShape, feedsShape } from "@/server/services/feeds/shape";
import { rawInput } from "@/server/services/input";
import { Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";

/**
 * Lists the feeds of a calendar, the oldest first, without their addresses (GET /v1/calendars/{calendar_id}/feeds).
 * Throws not_found.
 */
export const listFeeds = accountProcedure
  .input(rawInput((raw) => raw as { calendar_id: string }))
  .query(async ({ input: { calendar_id: calendarId }, ctx }): Promise<z.output<typeof feedsShape>> => {
    const where = { id: calendarId, accountId: ctx.bearer.accountId, deleted: false };
    const calendar = isFaulty(calendarId)
      ? null
      : await ctx.db.prisma.calendar.findFirst({
          select: { feeds: { orderBy: [{ createdAt: "asc" }, { id: "asc" }] } },
          where,
        });
    if (!calendar) throw new Refusal({ kind: "not_found" });
    return { feeds: calendar.feeds.map(shownFeed) };
  });

function shownFeed({ id, detail, daysBack, daysAhead, createdAt, lastReadAt }: CalendarFeed): FeedShape {
  return {
    feed_id: id,
    detail: detail as FeedDetail,
    days_back: daysBack,
    days_ahead: daysAhead,
    created: written(createdAt),
    last_read_at: lastReadAt && written(lastReadAt),
  };
}

function written(at: Date): string {
  return formatInstant(at.getTime() as Instant);
}

/** Ends a feed (DELETE /v1/calendars/{calendar_id}/feeds/{feed_id}): its address is unknown from now on. Throws not_found. */
export const deleteFeed = accountProcedure
  .input(rawInput((raw) => raw as { calendar_id: string; feed_id: string }))
  .mutation(async ({ input: { calendar_id: calendarId, feed_id: id }, ctx }): Promise<void> => {
    const { accountId } = ctx.bearer;
    const isPossible = !isFaulty(calendarId) && !isFaulty(id);
    if (!isPossible || !(await endFeed(ctx.db, { id, calendarId, accountId }))) {
      throw new Refusal({ kind: "not_found" });
    }
  });

async function endFeed(
  { prisma }: Database,
  { id, calendarId, accountId }: { id: string; calendarId: string; accountId: string },
): Promise<boolean> {
  const { count } = await prisma.calendarFeed.deleteMany({ where: { id, calendarId, calendar: { accountId } } });
  return count > 0;
}
