import type { Query } from "@/server/db/client";
import { newId } from "@/server/db/new-id";
import type { EventState } from "@/server/domain/events/event-state";
import type { Instant } from "@/server/domain/time/instant";
import type { AccountContext } from "@/server/services/trpc";
import { noteBookingConflicts } from "@/server/store/bookings/conflicts";
import { putChange } from "@/server/store/channels/outbox";
import { livingRow } from "@/server/store/events/event-record";
import { deleteEvents, insertEvent, updateEvent } from "@/server/store/events/event-rows";
import { stampNow } from "@/server/store/events/receive-batch";

export interface ChangeByOthers {
  calendarId: string;
  /** The row of the event; null: a new one. */
  id: string | null;
  /** The application's name for it; null: others made it. */
  eventId: string | null;
  /** Null: it is deleted. */
  after: EventState | null;
}

/**
 * Stores what somebody else made of an event, as a sync does, and signals it to the account's channels. In a transaction that has locked
 * the calendar. Call `wakeForChange` after the commit if it returns true: something changed.
 */
export async function changeByOthers(query: Query, ctx: AccountContext, change: ChangeByOthers): Promise<boolean> {
  const { calendarId, id, eventId, after } = change;
  const at = await stampNow(query, calendarId);
  const target = { id: id ?? newId("evt"), calendarId, eventId, externalId: null, now: ctx.now as Instant };
  const living = id === null ? undefined : await livingRow(query, calendarId, id);
  if (after === null) await deleteEvents(query, calendarId, [target.id]);
  else if (!living) await insertEvent(query, target, after);
  else if (!(await updateEvent(query, target, living, after)).isChanged) return false;
  const { accountId } = ctx.bearer;
  await noteBookingConflicts(query, { calendarId, since: at });
  await putChange(query, { by: "others", accountId, calendarId, managed: eventId !== null, at });
  return true;
}
