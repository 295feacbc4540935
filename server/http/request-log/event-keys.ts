import { type Endpoint, endpointOf, isRead } from "@/server/domain/endpoints";
import { type EventKey, keyOf, keyOfEventId } from "@/server/domain/event-keys";
import { recordOf } from "@/server/domain/records";
import { percentDecoded } from "@/server/domain/text";
import type { LoggedBody, RequestLogEntry } from "@/server/http/request-log/entry";

/** A batch has at most 50 requests. */
const MOST_KEYS = 50;
const OF_EVENTS = /^\/(?:v1\/(?:calendars\/|events|batch$|bookings|sandbox\/)|mcp$)/;

const BOOKING = /"booking_id":"(bkg_\w+)"/;

type WrittenRequest = Pick<
  RequestLogEntry,
  "method" | "path" | "search" | "requestBody" | "accountId" | "responseBody"
>;
type Keys = (EventKey | null)[];

/** Lists the keys of the events that a request is to write, by which the log finds it. Empty for all other requests. */
export function eventKeys(request: WrittenRequest): EventKey[] {
  if (!OF_EVENTS.test(request.path)) return [];
  const endpoint = endpointOf(request.path);
  if (endpoint === null || isRead({ method: request.method, endpoint })) return [];
  const keys = keysIn(endpoint, request).filter((key) => key !== null);
  return [...new Set(keys)].slice(0, MOST_KEYS);
}

function keysIn(endpoint: Endpoint, { path, search, accountId, ...bodies }: WrittenRequest): Keys {
  const { requestBody, responseBody } = bodies;
  const body = requestBody !== null && "value" in requestBody ? recordOf(requestBody.value) : {};
  const [, first, , uid] = path.split("/").slice(2).map(percentDecoded);
  switch (endpoint) {
    case "/v1/calendars/{calendar_id}/events":
    case "/v1/calendars/{calendar_id}/events/occurrences":
      return [byEventId(first, body.event_id ?? new URLSearchParams(search).get("event_id"))];
    case "/v1/calendars/{calendar_id}/events/{event_uid}/participation_status":
      return [byId(uid)];
    case "/v1/events/{event_uid}":
    case "/v1/bookings/{booking_id}":
    case "/v1/bookings/{booking_id}/confirm":
      return [byId(first)];
    case "/v1/events":
      return Array.isArray(body.calendar_ids) ? body.calendar_ids.slice(0, MOST_KEYS).map(byId) : [byId(accountId)];
    case "/v1/batch":
      return entriesOf(body.batch).map(byEntry);
    case "/v1/bookings":
      return [byEventId(body.calendar_id, recordOf(body.event).event_id), byBooking(responseBody)];
    case "/v1/sandbox/changes":
    case "/mcp":
      return [byEventId(body.calendar_id, body.event_id), byId(body.event_uid)];
    default:
      return [];
  }
}

function byEventId(calendarId: unknown, eventId: unknown): EventKey | null {
  return isId(calendarId) && isId(eventId) ? keyOfEventId(calendarId, eventId) : null;
}

function byId(id: unknown): EventKey | null {
  return isId(id) ? keyOf(id) : null;
}

/** Derives the key of a booking that was made: later requests name only that. */
function byBooking(response: LoggedBody): EventKey | null {
  const [, id] = response !== null && "text" in response ? (BOOKING.exec(response.text) ?? []) : [];
  return byId(id);
}

function byEntry({ relative_url: url, data }: Record<string, unknown>): EventKey | null {
  return byEventId(typeof url === "string" ? percentDecoded(url.split("/")[3] ?? "") : null, recordOf(data).event_id);
}

function entriesOf(batch: unknown): Record<string, unknown>[] {
  return Array.isArray(batch) ? batch.slice(0, MOST_KEYS).map(recordOf) : [];
}

const isId = (value: unknown): value is string => typeof value === "string" && value !== "";
