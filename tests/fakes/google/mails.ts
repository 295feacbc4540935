import { invalid } from "./errors";
import { type Attendee, accountOf, type CalendarRecord, type EventResource, type Mail, type World } from "./state";

export type SendUpdates = "all" | "externalOnly" | "none";

/** Parameter `sendUpdates`, or the deprecated `sendNotifications`; both default to false. */
export function sendUpdatesOf(query: URLSearchParams): SendUpdates {
  const value = query.get("sendUpdates");
  if (value === null) return query.get("sendNotifications") === "true" ? "all" : "none";
  // The description says "The default is false": a client that sends the word is refused [K].
  if (value !== "all" && value !== "externalOnly" && value !== "none")
    throw invalid(`Invalid value '${value}' for parameter sendUpdates.`);
  return value;
}

export interface Announcement {
  calendar: CalendarRecord;
  before?: EventResource;
  after?: EventResource;
  sendUpdates: SendUpdates;
}

/** Puts into the outbox what a change sends: the organizer's to guests, a guest's response to the organizer. */
export function announce(world: World, { calendar, before, after, sendUpdates }: Announcement): void {
  const event = after ?? before;
  if (sendUpdates === "none" || !event) return;
  const send = (to: string, kind: Mail["kind"]) => {
    // Reference of events.insert, externalOnly: "sent to non-Google Calendar guests only".
    if (sendUpdates === "externalOnly" && accountOf(world, to)) return;
    const { id = "", summary } = event;
    world.outbox.push({ to, kind, calendarId: calendar.id, eventId: id ?? "", summary: summary ?? "" });
  };
  const organizer = event.organizer?.email ?? "";
  if (!sameAddress(calendar.id, organizer)) {
    if (ownResponse(calendar, before) !== ownResponse(calendar, after)) send(organizer, "reply");
    return;
  }
  const isOver = !after || after.status === "cancelled";
  const [old, current] = [guestsOf(before, organizer), isOver ? new Set<string>() : guestsOf(after, organizer)];
  for (const email of current) send(email, old.has(email) && before?.status !== "cancelled" ? "update" : "invitation");
  if (before?.status !== "cancelled") for (const email of old) if (!current.has(email)) send(email, "cancellation");
}

function ownResponse(calendar: CalendarRecord, event: EventResource | undefined): string | null | undefined {
  return event?.attendees?.find(({ email }) => sameAddress(email, calendar.id))?.responseStatus;
}

function guestsOf(event: EventResource | undefined, organizer: string): Set<string> {
  const isGuest = ({ email, resource }: Attendee) => !resource && !sameAddress(email, organizer);
  return new Set((event?.attendees ?? []).filter(isGuest).map(({ email }) => email?.toLowerCase() ?? ""));
}

/** Whether two email addresses are the same but for their case. */
export const sameAddress = (one: string | null | undefined, other: string) =>
  one?.toLowerCase() === other.toLowerCase();
