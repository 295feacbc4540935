import { Refusal } from "@/server/services/refusal";
import { audit } from "@/server/services/staff/audit/audit";
import { eventInput, expectedEvent } from "@/server/services/staff/events/get";
import type { ShownEventTexts } from "@/server/services/staff/events/shapes";
import { adminProcedure } from "@/server/services/staff/procedure/trpc";

/** Reads the texts of an event, and notes that in the audit trail. Throws not_found. */
export const showEventTexts = adminProcedure
  .input(eventInput)
  .mutation(async ({ input: { id }, ctx }): Promise<ShownEventTexts> => {
    const { accountId, calendarId, id: row } = await expectedEvent(ctx.db.query, id, null);
    return await ctx.db.transaction(async (_query, prisma) => {
      const texts = await prisma.event.findUnique({
        select: { summary: true, location: true, description: true },
        where: { calendarId_id: { calendarId, id: row } },
      });
      if (!texts) throw new Refusal({ kind: "not_found" });
      await audit(prisma, ctx, { action: "events.text_viewed", object: accountId, detail: { calendarId, event: row } });
      return { ...texts, description: texts.description || null };
    });
  });
