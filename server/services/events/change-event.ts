import { newId } from "@/server/db/new-id";
import { wake } from "@/server/db/wake";
import { guestIssues } from "@/server/domain/calendars/guest-rules";
import type { EventState } from "@/server/domain/events/event-state";
import type { Issue } from "@/server/domain/issues";
import type { Instant } from "@/server/domain/time/instant";
import { lockCalendar } from "@/server/services/events/on-calendar";
import type { AccountContext } from "@/server/services/trpc";
import type { LockedCalendar } from "@/server/store/calendars/calendars.sql";
import { putChange } from "@/server/store/channels/outbox";
import { livingEvent } from "@/server/store/events/event-record";
import { deleteEvents, insertEvent, updateEvent } from "@/server/store/events/event-rows";
import { queueWrite } from "@/server/store/provider-writes/queue";

export interface EventChange {
  calendarId: string;
  body: {
    event_id: string;
    notify_attendees: boolean;
  };
}

/** The event after the write, or what becomes of it instead. */
export type Decision = { state: EventState } | "deleted" | "unchanged";

/**
 * One write of the application to an event, in one transaction: locks the calendar, reads the event, stores what `decide` makes of it and
 * queues it for the calendar's provider. `decide` is given null where there is no such event, and throws what the write is refused with.
 * Throws not_found and read_only for the calendar.
 */
export async function changeEvent(
  ctx: AccountContext,
  { calendarId, body }: EventChange,
  decide: (before: EventState | null, calendar: LockedCalendar) => Decision,
): Promise<void> {
  const isQueued = await ctx.db.transaction(async (query) => {
    const calendar = await lockCalendar(query, { calendarId, accountId: ctx.bearer.accountId });
    const living = await livingEvent(query, calendarId, body.event_id);
    const before = living?.state ?? null;
    const decision = decide(before, calendar);
    if (decision === "unchanged" || (decision === "deleted" && !living)) return false;
    const after = decision === "deleted" ? null : decision.state;
    const id = living?.id ?? newId("evt");
    const target = { id, calendarId, eventId: body.event_id, externalId: null, now: ctx.now as Instant };
    if (!after) await deleteEvents(query, calendarId, [id]);
    else if (!living) await insertEvent(query, target, after);
    else if (!(await updateEvent(query, target, living, after)).isChanged) return false;
    const changed = { accountId: ctx.bearer.accountId, calendarId, managed: true, at: ctx.now };
    await putChange(query, { by: "application", ...changed });
    return await queueWrite(query, calendar, { eventRow: id, before, after, notify: body.notify_attendees });
  });
  if (isQueued) wake("push");
}

/** What the calendar has against a write that leaves an event's guests as they are. */
export function keptGuestIssues(
  { attendees }: EventState,
  { provider }: LockedCalendar,
  { notify_attendees: notify }: EventChange["body"],
): Issue[] {
  return guestIssues({ provider, change: null, before: attendees, guests: attendees, notify });
}
