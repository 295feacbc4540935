import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { newId, newToken } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { type FeedDetail, MAX_FEEDS } from "@/server/domain/feeds";
import { isFaulty } from "@/server/domain/text";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { VISITORS_APPLICATION } from "@/server/domain/visitors";
import { type createdFeedShape, feedBody } from "@/server/services/feeds/shape";
import { inputOf, rawInput } from "@/server/services/input";
import { invalid, Refusal } from "@/server/services/refusal";
import { accountProcedure } from "@/server/services/trpc";
import { lockedCalendar } from "@/server/store/calendars/locked-calendar";

const KEY_BYTES = 32;
const body = inputOf(feedBody);

const input = rawInput((raw) => {
  const { calendar_id, body: sent } = raw as { calendar_id: string; body: unknown };
  return { calendarId: calendar_id, ...body(sent) };
});

/**
 * Creates a feed of a calendar (POST /v1/calendars/{calendar_id}/feeds). Its address is in this response alone. Refuses
 * with 422 for the body, then not_found for the calendar, then with 422 for one feed too many.
 */
export const createFeed = accountProcedure
  .input(input)
  .mutation(async ({ input, ctx }): Promise<z.output<typeof createdFeedShape>> => {
    const { calendarId, detail, days_back: daysBack, days_ahead: daysAhead } = input;
    const { accountId, applicationId } = ctx.bearer;
    if (isFaulty(calendarId)) throw new Refusal({ kind: "not_found" });
    const token = newToken();
    const created = await ctx.db.transaction(async (query, prisma) => {
      // The lock makes those who create the last feeds of a calendar count one after another.
      const calendar = await lockedCalendar(query, { calendarId, accountId });
      const where = { id: calendarId, deleted: false };
      if (!calendar || (await prisma.calendar.count({ where })) === 0) throw new Refusal({ kind: "not_found" });
      if (applicationId === VISITORS_APPLICATION) throw refusedHere("Calls from the documentation can't create feeds");
      if ((await prisma.calendarFeed.count({ where: { calendarId } })) >= MAX_FEEDS) {
        throw refusedHere(`The calendar has ${MAX_FEEDS} feeds already`);
      }
      const secrets = { tokenHash: digest(token), uidKey: new Uint8Array(randomBytes(KEY_BYTES)) };
      const shown = { detail: detail satisfies FeedDetail, daysBack, daysAhead, createdAt: new Date(ctx.now) };
      return await prisma.calendarFeed.create({ data: { id: newId("fed"), calendarId, ...secrets, ...shown } });
    });
    return {
      feed_id: created.id as z.output<typeof createdFeedShape>["feed_id"],
      ...{ detail, days_back: daysBack, days_ahead: daysAhead },
      created: formatInstant(created.createdAt.getTime() as Instant),
      last_read_at: null,
      url: `${ctx.baseUrl}/feeds/${token}.ics`,
    };
  });

function refusedHere(description: string): Refusal {
  return invalid({ path: [], key: "errors.invalid", description });
}
