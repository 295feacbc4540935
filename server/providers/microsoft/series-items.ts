import type { GraphApi, GraphRequest } from "@/server/providers/microsoft/api";
import { batched } from "@/server/providers/microsoft/batch";
import { type Item, isRemoved, itemsOf } from "@/server/providers/microsoft/item";
import { EXPAND_OWN } from "@/server/providers/microsoft/properties";

/** Bodies as plain text: what an event says is compared as text. */
export const AS_TEXT = 'outlook.body-content-type="text"';

/** What is read of an event. Both kinds of exceptions come on request alone ("Returned only on $select"). */
const FIELDS = [
  ...["id", "type", "seriesMasterId", "transactionId", "lastModifiedDateTime", "iCalUId"],
  ...["subject", "body", "location", "locations", "categories", "sensitivity", "showAs", "isCancelled"],
  ...["isAllDay", "start", "end", "originalStart", "originalStartTimeZone", "recurrence"],
  ...["organizer", "isOrganizer", "attendees", "responseStatus"],
  ...["isOnlineMeeting", "onlineMeetingProvider", "onlineMeeting", "onlineMeetingUrl"],
  ...["cancelledOccurrences", "exceptionOccurrences"],
].join(",");

/** Gives an event with our properties, and the exceptions and cancelled occurrences of a series. */
export function itemRequest(calendarId: string, id: string): GraphRequest {
  const query = { $select: FIELDS, $expand: `${EXPAND_OWN},exceptionOccurrences` };
  return { kind: "read_event", path: eventPath(calendarId, id), query, prefer: [AS_TEXT], accepts: ["gone"] };
}

/** Requests one event as Graph has it now. Returns null if it was deleted or never existed. */
export async function itemOf(api: GraphApi, calendarId: string, id: string): Promise<Item | null> {
  return (await itemsById(api, calendarId, [id])).get(id) ?? null;
}

/** Requests events as Graph has them now, and omits those that it does not have. */
export async function itemsById(api: GraphApi, calendarId: string, ids: readonly string[]): Promise<Map<string, Item>> {
  const responses = await batched(
    api,
    ids.map((id) => itemRequest(calendarId, id)),
  );
  const found = new Map<string, Item>();
  for (const [i, { verdict, body }] of responses.entries()) {
    const [item] = verdict === null ? itemsOf([body]) : [];
    const id = ids[i];
    if (item && id !== undefined && !isRemoved(item)) found.set(id, item);
  }
  return found;
}

export function eventPath(calendarId: string, id: string): string {
  return `/me/calendars/${encodeURIComponent(calendarId)}/events/${encodeURIComponent(id)}`;
}
