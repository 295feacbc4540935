import type { Event, ItemBody, Location } from "@microsoft/microsoft-graph-types";
import { attendeesOf } from "./attendees";
import { documentOf } from "./bodies";
import { badRequest, invalidProperty, invalidRequest } from "./errors";
import type { EventContent, Knobs } from "./state";
import { clockOf, epochOf, storedTime } from "./times";

export type Body = Record<string, unknown>;

/** Every property of type Event in version 1.0, and of what it inherits from. */
export const eventProperties = [
  ...["id", "createdDateTime", "lastModifiedDateTime", "changeKey", "categories", "transactionId"],
  ...["originalStartTimeZone", "originalEndTimeZone", "iCalUId", "reminderMinutesBeforeStart", "isReminderOn"],
  ...[
    "hasAttachments",
    "subject",
    "bodyPreview",
    "importance",
    "sensitivity",
    "isAllDay",
    "isCancelled",
    "isOrganizer",
  ],
  ...["responseRequested", "seriesMasterId", "showAs", "type", "webLink", "onlineMeetingUrl", "isOnlineMeeting"],
  ...["onlineMeetingProvider", "onlineMeeting", "allowNewTimeProposals", "isDraft", "hideAttendees", "recurrence"],
  ...["originalStart", "responseStatus", "body", "start", "end", "location", "locations", "attendees", "organizer"],
  ...["cancelledOccurrences", "exceptionOccurrences", "singleValueExtendedProperties", "multiValueExtendedProperties"],
  ...["attachments", "calendar", "extensions", "instances"],
] as const satisfies (keyof Event)[];

/** [K]: as Outlook's subject line. */
const LONGEST_SUBJECT = 255;
const DAY = 86_400_000;

/** 400 for a property that the type does not have [K: text]; read-only ones are ignored, as the sample of "Update event" shows. */
export function checkNames(body: Body): void {
  const known: readonly string[] = eventProperties;
  const unknown = Object.keys(body).find((name) => !name.includes("@") && !known.includes(name));
  if (unknown === undefined) return;
  const text = `The property '${unknown}' does not exist on type 'Microsoft.OutlookServices.Event'. Make sure to only use property names that are defined by the type.`;
  throw badRequest("RequestBodyRead", text);
}

/** What a new event has unless it is written: the sample of "Create event". */
export const newContent: Omit<EventContent, "start" | "end"> = {
  subject: "",
  html: documentOf("text", ""),
  isAllDay: false,
  locations: [],
  attendees: [],
  categories: [],
  importance: "normal",
  sensitivity: "normal",
  showAs: "busy",
  isReminderOn: true,
  reminderMinutesBeforeStart: 15,
  responseRequested: true,
  allowNewTimeProposals: true,
  hideAttendees: false,
};

const values = {
  importance: ["low", "normal", "high"],
  sensitivity: ["normal", "personal", "private", "confidential"],
  showAs: ["unknown", "free", "tentative", "busy", "oof", "workingElsewhere"],
} as const;

/** The content after a write; null puts a field back to what a new event has [K]. */
export function contentAfter(knobs: Knobs, base: EventContent, body: Body): EventContent {
  const after: EventContent = { ...base };
  const has = (name: string) => body[name] !== undefined;
  if (has("subject")) after.subject = textField(body, "subject", newContent.subject);
  if (has("body")) after.html = bodyField(body.body as ItemBody | null);
  if (has("start")) after.start = storedTime(knobs, body.start, "start");
  if (has("end")) after.end = storedTime(knobs, body.end, "end");
  if (has("locations")) after.locations = (body.locations as Location[] | null)?.map(locationField) ?? [];
  else if (has("location")) after.locations = singleLocation(body.location as Location | null);
  if (has("attendees")) after.attendees = attendeesOf(body.attendees, base.attendees);
  if (has("categories")) after.categories = (body.categories as string[] | null) ?? [];
  if (has("reminderMinutesBeforeStart"))
    after.reminderMinutesBeforeStart = Number(body.reminderMinutesBeforeStart ?? 15);
  for (const name of [
    "isAllDay",
    "isReminderOn",
    "responseRequested",
    "allowNewTimeProposals",
    "hideAttendees",
  ] as const) {
    if (has(name)) after[name] = booleanField(body, name);
  }
  if (has("importance")) after.importance = enumField(body, "importance");
  if (has("sensitivity")) after.sensitivity = enumField(body, "sensitivity");
  if (has("showAs")) after.showAs = enumField(body, "showAs");
  checkTimes(after);
  return after;
}

function textField(body: Body, name: "subject", empty: string): string {
  const value = body[name] ?? empty;
  if (typeof value !== "string")
    throw badRequest("RequestBodyRead", `Cannot convert the value of '${name}' to a string.`);
  if (value.length > LONGEST_SUBJECT) throw invalidProperty(`The property '${name}' is too long.`);
  return value;
}

function booleanField(
  body: Body,
  name: "isAllDay" | "isReminderOn" | "responseRequested" | "allowNewTimeProposals" | "hideAttendees",
) {
  const value = body[name] ?? newContent[name];
  if (typeof value !== "boolean")
    throw badRequest("RequestBodyRead", `Cannot convert the value of '${name}' to a Boolean.`);
  return value;
}

function enumField<Name extends keyof typeof values>(body: Body, name: Name): (typeof values)[Name][number] {
  const given = String(body[name] ?? newContent[name]).toLowerCase();
  const found = values[name].find((value) => value.toLowerCase() === given);
  if (!found) throw badRequest("RequestBodyRead", `Requested value '${body[name]}' was not found.`);
  return found;
}

function bodyField(given: ItemBody | null): string {
  return documentOf(given?.contentType, given?.content ?? "");
}

/** Type Location: locationType is read-only, and what is for internal use is filled in as in the samples. */
function locationField({ locationType: _, uniqueId: __, uniqueIdType: ___, ...given }: Location): Location {
  const displayName = given.displayName ?? "";
  return { ...given, displayName, locationType: "default", uniqueId: displayName, uniqueIdType: "private" };
}

/** "If you update the location property, any prior locations in the locations collection are removed". */
function singleLocation(given: Location | null): Location[] {
  return given?.displayName ? [locationField(given)] : [];
}

/** Type Event, isAllDay: "start, and endtime must be set to midnight and be in the same time zone"; codes and texts are [K]. */
function checkTimes({ start, end, isAllDay }: EventContent): void {
  if (epochOf(end) < epochOf(start)) {
    throw badRequest("ErrorCalendarEndDateIsEarlierThanStartDate", "EndDate is earlier than StartDate");
  }
  if (!isAllDay) return;
  for (const [side, time] of Object.entries({ Start: start, End: end })) {
    if (clockOf(time.local) !== "T00:00:00") {
      throw invalidRequest(`The Event.${side} property for an all-day event needs to be set to midnight.`);
    }
  }
  if (start.zone !== end.zone)
    throw invalidRequest("Start and end of an all-day event need to be in the same time zone.");
  // OfficeDev/Office-365-SDK-for-Java#5 quotes the text.
  if (Date.parse(`${end.local}Z`) - Date.parse(`${start.local}Z`) < DAY) {
    throw invalidRequest("The duration of an event marked as All day must be at least 24 hours.");
  }
}
