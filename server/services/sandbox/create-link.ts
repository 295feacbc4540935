import { isPending } from "@/server/domain/events/conferencing";
import type { Instant } from "@/server/domain/time/instant";
import { changeByOthers } from "@/server/services/events/by-others";
import { calendarOfOthers, refuseDeleted, targetIn } from "@/server/services/sandbox/change-event";
import type { SandboxChangeBody } from "@/server/services/sandbox/change-shape";
import type { AccountContext } from "@/server/services/trpc";
import { wakeForChange } from "@/server/store/channels/outbox";
import { livingRow } from "@/server/store/events/event-record";
import { settleMeetingLink } from "@/server/store/events/settle-conferencing";

const SOMEWHERE = "https://meet.example.com/sandbox";

/**
 * Plays the calendar that has created a meeting link: the one that a write of the application requested, which notifies
 * nobody, or one that another person added. Throws not_found for the calendar, 422 for the event.
 */
export async function createLinkInSandbox(ctx: AccountContext, body: SandboxChangeBody): Promise<void> {
  const calendarId = body.calendar_id ?? "";
  const made = { provider: "other", join_url: body.join_url ?? SOMEWHERE } as const;
  const place = { calendarId, accountId: ctx.bearer.accountId };
  await refuseDeleted(ctx, calendarId);
  const outcome = await ctx.db.transaction(async (query) => {
    await calendarOfOthers(query, place);
    const { id, eventId } = await targetIn(query, body);
    const living = await livingRow(query, calendarId, id);
    if (!living) return null;
    if (eventId !== null && isPending(living.state.conferencing)) return { asked: eventId };
    const after = { ...living.state, conferencing: made };
    return (await changeByOthers(query, ctx, { calendarId, id, eventId, after })) ? "changed" : null;
  });
  if (outcome === "changed") wakeForChange();
  else if (outcome) {
    await settleMeetingLink(ctx.db, { calendarId, eventId: outcome.asked, made, now: ctx.now as Instant });
  }
}
