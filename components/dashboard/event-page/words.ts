import { errorSentence, type NamedProvider, providerWord } from "@/components/dashboard/accounts/words";
import type { Tone } from "@/components/ui/state";
import type { EventChange, EventDetail, EventRequest, EventWrite } from "@/server/services/staff/events/shapes";

/** Describes where an event stands. */
export function eventState({ deletedAt, write, provider }: EventDetail): { tone: Tone; word: string } {
  if (write && isRefused(write)) return { tone: "bad", word: "Rejected by the provider" };
  if (write) return { tone: "wait", word: deletedAt === null ? "Write pending" : "Deletion pending" };
  if (deletedAt !== null) return { tone: "off", word: "Deleted" };
  return { tone: "good", word: provider === "hosted" ? "Stored" : "In sync" };
}

function isRefused({ state, waitsForReconnect }: EventWrite): boolean {
  return !waitsForReconnect && (state === "refused" || state === "given_up" || state === "reverted");
}

/** Says what a request did to the event, or was to do. */
export function requestWords({ method, endpoint, type }: EventRequest): string {
  switch (endpoint) {
    case "/v1/calendars/{calendar_id}/events":
      return method === "DELETE" ? "Delete event" : "Write event";
    case "/v1/calendars/{calendar_id}/events/occurrences":
      return "Change occurrence";
    case "/v1/calendars/{calendar_id}/events/{event_uid}/participation_status":
      return "Reply to invitation";
    case "/v1/events/{event_uid}":
      return method === "DELETE" ? "Delete event" : "Change event";
    case "/v1/events":
      return "Delete all events";
    case "/v1/batch":
      return "Batch with this event";
    case "/v1/bookings":
      return "Book event";
    case "/v1/bookings/{booking_id}/confirm":
      return "Confirm booking";
    case "/v1/bookings/{booking_id}":
      return "Cancel booking";
    case "/v1/sandbox/changes":
      return `Sandbox: ${type ?? "change by another person"}`;
    case "/mcp":
      return `AI assistant: ${type ?? "tool"}`;
    default:
      return "Request";
  }
}

const changeWords: Record<EventChange["kind"], string> = {
  created: "Event created",
  updated: "Event changed",
  deleted: "Event deleted",
  replied: "Guests’ replies changed",
  link_added: "Meeting link added",
  booking_conflict: "Booked time taken by another event",
};

/** Says what changed, and by whom. */
export function changeSentence({ kind, own, occurrenceDate }: EventChange): string {
  const day = occurrenceDate === null ? "" : ` on ${occurrenceDate}`;
  return `${changeWords[kind]}${day} by ${own ? "the application" : "others"}`;
}

/** Says what the provider did with a write that it does not have. */
export function writeSentence(write: EventWrite, provider: NamedProvider): string {
  return write.lastError === null ? "Not sent yet." : errorSentence(write.lastError, provider);
}

/** Says that the provider has the event as it was written. */
export function writtenWords(attempts: number | null, provider: NamedProvider): string {
  const name = providerWord(provider);
  return attempts !== null && attempts > 1
    ? `${name} accepted the write at attempt ${attempts}`
    : `${name} accepted the write`;
}
