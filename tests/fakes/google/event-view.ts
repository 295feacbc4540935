import type { Viewer } from "./access";
import { type EventResource, etagOf, type StoredEvent } from "./state";
import { epochOf, shown } from "./times";

export interface ViewOptions {
  origin: string;
  /** Parameter `timeZone`; the calendar's if omitted. */
  timeZone?: string | null;
  /** Parameter `maxAttendees`. */
  maxAttendees?: number;
}

/** An event as it is sent to this viewer. */
export function viewOf(viewer: Viewer, event: StoredEvent, options: ViewOptions): EventResource {
  const { resource, version } = event;
  const zone = options.timeZone ?? viewer.calendar.timeZone;
  const start = resource.start && shown(resource.start, zone);
  const end = resource.end && shown(resource.end, zone);
  const original = resource.originalStartTime && shown(resource.originalStartTime, zone);
  const times = { ...(start && { start }), ...(end && { end }), ...(original && { originalStartTime: original }) };
  const frame = { kind: "calendar#event", etag: etagOf(version), id: resource.id, status: resource.status };
  if (hidesDetails(viewer, resource)) return { ...frame, ...busyFields(resource), ...times, visibility: "private" };
  const { source, conferenceData, ...rest } = resource;
  return {
    ...rest,
    ...frame,
    htmlLink: `${options.origin}/calendar/event?eid=${Buffer.from(`${resource.id} ${viewer.calendar.id}`).toString("base64url")}`,
    ...times,
    // "Can only be seen or modified by the creator of the event."
    ...(source && resource.creator?.email === viewer.account.email && { source }),
    ...(conferenceData && { conferenceData }),
    ...people(viewer, resource, options),
  };
}

/** What the reference guarantees of a cancelled event (field `status`), with times in the zone; without a zone the id alone. */
export function sparse({ resource, version }: StoredEvent, zone: string | null): EventResource {
  const { id, recurringEventId, originalStartTime } = resource;
  const frame = { kind: "calendar#event", etag: etagOf(version), id, status: "cancelled" };
  if (!recurringEventId || !originalStartTime || zone === null) return frame;
  return { ...frame, recurringEventId, originalStartTime: shown(originalStartTime, zone) };
}

/** Field `accessRole` of a calendar: freeBusyReader sees free/busy alone, reader and writerWithoutPrivateAccess no private details. */
function hidesDetails({ role, account }: Viewer, { visibility, attendees, organizer }: EventResource): boolean {
  if (role === "freeBusyReader") return true;
  if (role !== "reader" && role !== "writerWithoutPrivateAccess") return false;
  if (visibility !== "private" && visibility !== "confidential") return false;
  // Field `visibility`: "only event attendees may view event details".
  return ![organizer, ...(attendees ?? [])].some((person) => person?.email === account.email);
}

/** [K]: which fields remain without the details is not documented. */
function busyFields({
  created,
  updated,
  iCalUID,
  recurrence,
  recurringEventId,
  transparency,
  eventType,
}: EventResource) {
  return {
    created,
    updated,
    iCalUID,
    eventType,
    ...(recurrence && { recurrence }),
    ...(recurringEventId && { recurringEventId }),
    ...(transparency && { transparency }),
  };
}

/** Field `self`: whether the person is the calendar on which this copy of the event appears. */
function people({ calendar }: Viewer, event: EventResource, { maxAttendees }: ViewOptions): EventResource {
  const self = (email?: string | null) => (email?.toLowerCase() === calendar.id.toLowerCase() ? { self: true } : {});
  const { organizer, creator, attendees } = event;
  const all = attendees?.map((attendee) => ({
    ...attendee,
    ...(attendee.email === organizer?.email && { organizer: true }),
    ...self(attendee.email),
  }));
  const isOrganizer = organizer?.email?.toLowerCase() === calendar.id.toLowerCase();
  // "If there are more than the specified number of attendees, only the participant is returned."
  const tooMany = all !== undefined && maxAttendees !== undefined && all.length > maxAttendees;
  // Field `guestsCanSeeOtherGuests`; that the list is then marked as omitted is [K].
  const hidden = all !== undefined && event.guestsCanSeeOtherGuests === false && !isOrganizer;
  return {
    ...(creator && { creator: { ...creator, ...self(creator.email) } }),
    ...(organizer && { organizer: { ...organizer, ...self(organizer.email) } }),
    ...(all && { attendees: tooMany || hidden ? all.filter((one) => "self" in one) : all }),
    ...((tooMany || hidden) && { attendeesOmitted: true }),
  };
}

/** Whether an event touches the window: timeMin is below its end, timeMax above its start, both exclusive. */
export function isWithin(event: EventResource, zone: string, from: number, to: number): boolean {
  const start = event.start ?? event.originalStartTime;
  if (!start) return true;
  const begins = epochOf(start, zone);
  const ends = event.end ? epochOf(event.end, zone) : begins;
  return begins < to && (ends > from || (ends === begins && begins > from));
}
