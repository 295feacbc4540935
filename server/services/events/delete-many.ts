import { z } from "zod";
import { calendarIds } from "@/server/services/availability/fields";
import { changeEvent } from "@/server/services/events/change-event";
import { always, eitherOf, sparse } from "@/server/services/fields";
import { inputOf } from "@/server/services/input";
import { refuseRevoked } from "@/server/services/living-account";
import { invalid } from "@/server/services/refusal";
import { type AccountContext, accountProcedure } from "@/server/services/trpc";

/** The body of DELETE /v1/events. */
export const deleteManyBody = sparse({
  delete_all: z.literal(true).describe("Delete them in every writable calendar.").optional(),
  calendar_ids: calendarIds.describe("Delete them in these calendars.").optional(),
}).superRefine(eitherOf("delete_all", "calendar_ids"), always);

/**
 * Deletes the events that the application created, in all calendars or some: DELETE /v1/events. Each is deleted as by
 * DELETE /v1/calendars/{id}/events; a request that is repeated deletes what is left. Refuses with 422 for the body, then
 * for the calendars, before anything is deleted.
 */
export const removeEvents = accountProcedure.input(inputOf(deleteManyBody)).mutation(async ({ input, ctx }) => {
  for (const calendarId of await calendarsOf(ctx, input.calendar_ids)) {
    const events = await ctx.db.prisma.event.findMany({
      select: { eventId: true },
      where: { calendarId, eventId: { not: null }, deletedAt: null },
    });
    for (const { eventId } of events) {
      const change = { calendarId, body: { event_id: eventId ?? "", notify_attendees: true } };
      if (eventId !== null) await changeEvent(ctx, change, () => ({ state: null }));
    }
  }
});

/** Returns the calendars that are meant, those of an account that can be written if none is named. */
async function calendarsOf({ db, bearer }: AccountContext, named: readonly string[] | undefined): Promise<string[]> {
  const calendars = await db.prisma.calendar.findMany({
    select: { id: true, readonly: true },
    where: { accountId: bearer.accountId, deleted: false },
    orderBy: { number: "asc" },
  });
  if (calendars.length === 0) await refuseRevoked(db, bearer.accountId);
  if (!named) return calendars.filter(({ readonly }) => !readonly).map(({ id }) => id);
  const readonly = new Map(calendars.map((calendar) => [calendar.id, calendar.readonly]));
  const issues = named.flatMap((id, i) => {
    if (readonly.get(id) === false) return [];
    const why = readonly.has(id) ? "is read-only" : "is not a calendar of the account";
    return [{ path: ["calendar_ids", i], key: "errors.invalid" as const, description: `calendar_ids[${i}] ${why}` }];
  });
  if (issues.length > 0) throw invalid(...issues);
  return [...new Set(named)];
}
