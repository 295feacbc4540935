import type { Event, Location } from "@microsoft/microsoft-graph-types";
import { isOrganizer, versionOf } from "./access";
import { previewOf, textOf } from "./bodies";
import { shownId } from "./ids";
import { contentOf, type Item, timesByRule } from "./occurrences";
import { shownProperties } from "./properties";
import type { Preferences } from "./request";
import { type Account, changeKeyOf, etagOf, type Knobs, type StoredEvent } from "./state";
import { epochOf, placeOf, shownTime, timestamp } from "./times";

/** How a client wants events to be shown. */
export interface ViewOptions {
  viewer: Account;
  prefers: Preferences;
  /** The zone of start and end: "If not specified, those time values are returned in UTC." */
  zone: { name: string; zone: string };
  /** The extended properties that are expanded. */
  properties?: string[];
}

export type EventResource = Event & { "@odata.etag": string };

/** The options of a request. */
export function viewOptions(knobs: Knobs, viewer: Account, prefers: Preferences, properties?: string[]): ViewOptions {
  const name = prefers.timeZone ?? "UTC";
  return { viewer, prefers, zone: { name, zone: placeOf(knobs, name) }, ...(properties && { properties }) };
}

const NEVER = "0001-01-01T00:00:00Z";

/** An event or an occurrence, with the fields in the order of the sample of "Create event". */
export function viewOf(item: Item, options: ViewOptions): EventResource {
  const { event, date } = item;
  const { prefers, zone, viewer, properties } = options;
  const content = contentOf(item);
  const exception = date === undefined ? undefined : event.exceptions.get(date);
  const id = shownId(event, prefers.immutableIds, date);
  const version = versionOf(item);
  const shownAs =
    properties && shownProperties(new Map([...event.properties, ...(exception?.properties ?? [])]), properties);
  // [K]: who may read a shared calendar does not see private details of it.
  const isHidden = viewer !== event.calendar.owner && content.sensitivity !== "normal";
  return {
    "@odata.etag": etagOf(version),
    id,
    createdDateTime: timestamp(event.created),
    lastModifiedDateTime: timestamp(exception?.modified ?? event.modified),
    changeKey: changeKeyOf(version),
    categories: content.categories,
    ...(event.transactionId !== undefined && date === undefined && { transactionId: event.transactionId }),
    originalStartTimeZone: content.start.shown,
    originalEndTimeZone: content.end.shown,
    // "This ID is different for each occurrence in a recurring series."
    iCalUId:
      date === undefined
        ? event.iCalUId
        : `${event.iCalUId.slice(0, 32)}${date.replaceAll("-", "")}${event.iCalUId.slice(40)}`,
    reminderMinutesBeforeStart: content.reminderMinutesBeforeStart,
    isReminderOn: content.isReminderOn,
    hasAttachments: false,
    subject: isHidden ? "Private Appointment" : content.subject,
    bodyPreview: isHidden ? "" : previewOf(content.html),
    importance: content.importance,
    sensitivity: content.sensitivity,
    isAllDay: content.isAllDay,
    isCancelled: event.isCancelled || (exception?.isCancelled ?? false),
    isOrganizer: isOrganizer(event),
    responseRequested: content.responseRequested,
    seriesMasterId: date === undefined ? null : shownId(event, prefers.immutableIds),
    showAs: content.showAs,
    type: typeOf(item),
    webLink: webLink(event, id),
    onlineMeetingUrl: null,
    ...meetingFields(event),
    allowNewTimeProposals: content.allowNewTimeProposals,
    isDraft: false,
    hideAttendees: content.hideAttendees,
    recurrence: date === undefined ? event.recurrence : null,
    // Type Event: "not returned for events that are single instances"; [K] nor for a series master.
    ...(date !== undefined && { originalStart: originalStart(event, date) }),
    responseStatus: exception?.responseStatus ?? event.responseStatus,
    body: { contentType: prefers.bodyType, content: isHidden ? "" : bodyOf(content.html, prefers.bodyType) },
    start: shownTime(content.start, content.isAllDay, zone),
    end: shownTime(content.end, content.isAllDay, zone),
    ...locationFields(isHidden ? [] : content.locations),
    attendees: isHidden ? [] : content.attendees,
    organizer: event.organizer,
    ...(shownAs && { singleValueExtendedProperties: shownAs }),
  };
}

const bodyOf = (html: string, type: "text" | "html") =>
  type === "html" ? html : `${textOf(html)}\r\n`.replace(/^\r\n$/, "");

export function typeOf({ event, date }: Item): "singleInstance" | "occurrence" | "exception" | "seriesMaster" {
  if (date !== undefined) return event.exceptions.has(date) ? "exception" : "occurrence";
  return event.recurrence ? "seriesMaster" : "singleInstance";
}

/** "Its date and time information … is always in UTC": for an all-day event that is midnight in its zone [K]. */
function originalStart(event: StoredEvent, date: string): string {
  return new Date(epochOf(timesByRule(event, date).start)).toISOString().replace(".000Z", "Z");
}

/** Fields of the online meeting: a link that is not there yet is no onlineMeeting. */
function meetingFields({ meeting }: StoredEvent) {
  if (!meeting?.isOn) {
    return { isOnlineMeeting: false, onlineMeetingProvider: "unknown" as const, onlineMeeting: null };
  }
  const { provider, info, pendingReads } = meeting;
  const onlineMeeting = pendingReads === 0 ? info : null;
  return { isOnlineMeeting: true, onlineMeetingProvider: provider, onlineMeeting };
}

const noLocation: Location = { displayName: "", locationType: "default", uniqueIdType: "unknown" };

/** "The location and locations properties always correspond with each other." */
function locationFields(locations: Location[]): { location: Location; locations: Location[] } {
  const names = locations.map(({ displayName }) => displayName ?? "").join("; ");
  const one = locations.length === 1 ? locations[0] : { ...noLocation, displayName: names };
  return { location: one ?? noLocation, locations };
}

/** The two forms of the note on webLink. */
function webLink({ calendar }: StoredEvent, id: string): string {
  const host = calendar.owner.kind === "work" ? "outlook.office365.com" : "outlook.live.com";
  return `https://${host}/owa/?itemid=${encodeURIComponent(id)}&exvsurl=1&path=/calendar/item`;
}

/** What change tracking says of an occurrence: [R microsoft-graph-docs-contrib#34, microsoft-graph-docs#7632] these fields alone. */
export function bareView(item: Item, { prefers, zone }: ViewOptions): Event & { "@odata.etag": string } {
  const { start, end, isAllDay } = contentOf(item);
  return {
    "@odata.etag": etagOf(versionOf(item)),
    id: shownId(item.event, prefers.immutableIds, item.date),
    seriesMasterId: shownId(item.event, prefers.immutableIds),
    type: "occurrence",
    start: shownTime(start, isAllDay, zone),
    end: shownTime(end, isAllDay, zone),
  };
}

/** The response status of who organizes: sample of "Create event". */
export const asOrganizer = { response: "organizer" as const, time: NEVER };
