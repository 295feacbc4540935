import { changeByOthers } from "@/server/services/events/by-others";
import type { OnCalendar } from "@/server/services/events/on-calendar";
import type { AccountContext } from "@/server/services/trpc";
import { lockedCalendar } from "@/server/store/calendars/locked-calendar";
import { wakeForChange } from "@/server/store/channels/outbox";
import { livingEvent } from "@/server/store/events/event-record";

/**
 * Carries out a write and, where the request to the sandbox asked for it, undoes it as if the provider had refused it: the application
 * sees 202, then the event as it was, and a notification.
 */
export async function refusedLater(
  ctx: AccountContext,
  { calendarId, body }: OnCalendar<{ event_id: string }>,
  write: () => Promise<void>,
): Promise<void> {
  if (!ctx.sandbox.refusesWrites) return await write();
  const before = await livingEvent(ctx.db.query, calendarId, body.event_id);
  await write();
  const { accountId } = ctx.bearer;
  const isChanged = await ctx.db.transaction(async (query) => {
    if (!(await lockedCalendar(query, { calendarId, accountId }))) return false;
    const written = await livingEvent(query, calendarId, body.event_id);
    if (!written && !before) return false;
    return await changeByOthers(query, ctx, {
      ...{ calendarId, eventId: body.event_id },
      id: written?.id ?? null,
      after: before?.state ?? null,
    });
  });
  if (isChanged) wakeForChange();
}
