import { sameAddress } from "./mails";
import type { Attendee, CalendarRecord, EventResource } from "./state";
import { epochOf } from "./times";

/** The attendees of an event after a write of `given`. */
export function attendeesAfter(
  calendar: CalendarRecord,
  before: EventResource | undefined,
  after: EventResource,
): Attendee[] | undefined {
  const old = before?.attendees ?? [];
  // Field `attendeesOmitted`: "can be used to only update the participant's response".
  const list = after.attendeesOmitted ? withOwnResponse(calendar, old, after.attendees ?? []) : after.attendees;
  if (!list || list.length === 0) return undefined;
  const written = list.map((attendee) => writtenAttendee(attendee, old));
  if (!before || !movesInTime(before, after)) return written;
  // [K], ADR 33: Google asks guests again when the time changes; the organizer's own response stays.
  const organizer = before.organizer?.email ?? "";
  return written.map((one) =>
    one.resource || sameAddress(one.email, organizer) ? one : { ...one, responseStatus: "needsAction" },
  );
}

function withOwnResponse(calendar: CalendarRecord, old: Attendee[], given: Attendee[]): Attendee[] {
  const own = given.find(({ email }) => sameAddress(email, calendar.id));
  return old.map((one) => (own && sameAddress(one.email, calendar.id) ? { ...one, ...own } : one));
}

/** Fields `self` and `organizer` are read-only; `resource` "can only be set when the attendee is added"; the default status is needsAction. */
function writtenAttendee(given: Attendee, old: Attendee[]): Attendee {
  const { self: _self, organizer: _organizer, resource: _resource, ...rest } = given;
  const known = old.find(({ email }) => sameAddress(email, given.email ?? ""));
  const resource = known ? known.resource : given.resource;
  return { ...rest, responseStatus: given.responseStatus ?? "needsAction", ...(resource && { resource: true }) };
}

/** Whether an event begins or ends at another time, or repeats otherwise. */
export function movesInTime(before: EventResource, after: EventResource): boolean {
  return timesOf(before) !== timesOf(after);
}

function timesOf({ start, end, recurrence }: EventResource): string {
  const side = (time: EventResource["start"]) => time && [time.date ?? epochOf(time), time.timeZone];
  return JSON.stringify([side(start), side(end), recurrence ?? []]);
}
