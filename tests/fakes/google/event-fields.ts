import { apiError, invalid, required } from "./errors";
import type { EventResource, EventTime } from "./state";
import { epochOf } from "./times";

/** The fields that clients may write: those of type Event that are not read-only or derived. */
const writable = [
  ...["anyoneCanAddSelf", "attachments", "attendees", "attendeesOmitted", "birthdayProperties", "colorId"],
  ...["conferenceData", "description", "end", "endTimeUnspecified", "eventType", "extendedProperties"],
  ...["focusTimeProperties", "gadget", "guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests"],
  ...["location", "outOfOfficeProperties", "privateCopy", "recurrence", "reminders", "sequence", "source", "start"],
  ...["status", "summary", "transparency", "visibility", "workingLocationProperties"],
] as const satisfies (keyof EventResource)[];

/** [K]: the reference names no limit. */
const LONGEST_DESCRIPTION = 8192;
/** Field `attachments`. */
const MOST_ATTACHMENTS = 25;
/** [K]: as below. */
const MOST_REMINDERS = 5;
const LONGEST_KEY = 44;
const LONGEST_VALUE = 1024;
/** Type EventReminder, field `minutes`. */
const LONGEST_REMINDER = 40_320;

/** The fields of a body that have any effect. */
export function writableOf(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(writable.filter((name) => name in body).map((name) => [name, body[name]]));
}

/** Reference of events.patch: "Array fields, if specified, overwrite the existing arrays". [K]: objects merge, and null clears. */
export function merged(base: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base };
  for (const [name, value] of Object.entries(patch)) {
    const old = result[name];
    if (value === null) delete result[name];
    else if (isObject(value)) result[name] = merged(isObject(old) ? old : {}, value);
    else result[name] = value;
  }
  return result;
}

/** The body of an insert or update without the fields that are null. */
export const withoutNulls = (body: Record<string, unknown>) => merged({}, body);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Field `id`: base32hex in lower case, 5 to 1024 characters. */
export function checkId(id: unknown): string {
  if (typeof id !== "string" || !/^[a-v0-9]{5,1024}$/.test(id)) throw invalid("Invalid resource id value.");
  return id;
}

/** What the reference says of single fields; texts of errors are [K]. Reminders and extended properties get their stored form. */
export function checkFields(event: EventResource, zone: string): void {
  checkRange(event.start ?? {}, event.end ?? {}, zone);
  oneOf("status", event.status, ["confirmed", "tentative", "cancelled"]);
  oneOf("visibility", event.visibility, ["default", "public", "private", "confidential"]);
  oneOf("transparency", event.transparency, ["opaque", "transparent"]);
  // [K]: the event section of the colors definition has the ids 1 to 11.
  oneOf(
    "colorId",
    event.colorId,
    Array.from({ length: 11 }, (_, index) => String(index + 1)),
  );
  if ((event.description ?? "").length > LONGEST_DESCRIPTION) throw invalid("The description is too long.");
  if ((event.attachments ?? []).length > MOST_ATTACHMENTS) throw invalid("Too many attachments.");
  if (event.attachments?.some(({ fileUrl }) => !fileUrl)) throw required("Missing attachment file url.");
  if (event.source && !/^https?:\/\//.test(event.source.url ?? "")) throw invalid("Invalid source url.");
  if (event.reminders) event.reminders = storedReminders(event);
  checkAttendees(event);
  if (event.extendedProperties) event.extendedProperties = storedProperties(event.extendedProperties);
}

function oneOf(name: string, value: string | null | undefined, allowed: string[]): void {
  if (value !== null && value !== undefined && !allowed.includes(value)) throw invalid(`Invalid value for: ${name}`);
}

function checkRange(start: EventTime, end: EventTime, zone: string): void {
  // [K]: "Start and end times must either both be date or both be dateTime."
  if (Boolean(start.date) !== Boolean(end.date)) {
    throw invalid("Start and end times must either both be date or both be dateTime.");
  }
  if (epochOf(end, zone) < epochOf(start, zone)) throw emptyRange();
}

// The guide "Handle API errors" shows this reason for timeMax; that events get it too is [K].
const emptyRange = () => ofCalendar("timeRangeEmpty", "The specified time range is empty.");

const ofCalendar = (reason: string, message: string) => apiError({ status: 400, domain: "calendar", reason, message });

/**
 * The reminders as they are stored. Type EventReminder names the methods and 0 to 40320 minutes. That Google rewrites other values and
 * does not refuse them, and the two reasons: [K], captured from live responses by FamilyHQ (simulator-external-dependencies).
 */
function storedReminders({ reminders }: EventResource): EventResource["reminders"] {
  if (!reminders?.overrides) return reminders;
  const known = reminders.overrides.filter(({ method }) => method === "email" || method === "popup");
  const texts = known.map(({ method, minutes }) => {
    if (typeof minutes !== "number") throw required("Missing reminder minutes.");
    return JSON.stringify({ method, minutes: Math.min(Math.max(minutes, 0), LONGEST_REMINDER) });
  });
  const overrides = [...new Set(texts)].map((text) => JSON.parse(text));
  if (overrides.length === 0) return { useDefault: reminders.useDefault ?? false };
  if (reminders.useDefault) {
    const message = "Cannot specify both default reminders and overrides at the same time.";
    throw ofCalendar("cannotUseDefaultRemindersAndSpecifyOverride", message);
  }
  if (overrides.length > MOST_REMINDERS)
    throw ofCalendar("eventRemindersCountExceedsLimit", "Too many override reminders.");
  return { useDefault: false, overrides };
}

function checkAttendees({ attendees }: EventResource): void {
  for (const { email, responseStatus } of attendees ?? []) {
    if (!email) throw required("Missing attendee email.");
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalid("Invalid attendee email.");
    oneOf("attendees.responseStatus", responseStatus, ["needsAction", "declined", "tentative", "accepted"]);
  }
}

/** [K], guide "Extended properties", Limits, from memory: longer keys are dropped, longer values cut, and neither is reported. */
function storedProperties(properties: NonNullable<EventResource["extendedProperties"]>): typeof properties {
  const stored = (part: Record<string, unknown>) => {
    if (Object.values(part).some((value) => typeof value !== "string"))
      throw invalid("Invalid extended property value.");
    const kept = Object.entries(part).filter(([key]) => key.length <= LONGEST_KEY);
    return Object.fromEntries(kept.map(([key, value]) => [key, String(value).slice(0, LONGEST_VALUE)]));
  };
  return {
    ...(properties.private && { private: stored(properties.private) }),
    ...(properties.shared && { shared: stored(properties.shared) }),
  };
}

/** Field `eventType`: fromGmail cannot be created, no type can be changed, a birthday is all-day and annual. */
export function checkEventType(event: EventResource, before: EventResource | undefined): void {
  const type = event.eventType ?? "default";
  oneOf("eventType", type, ["birthday", "default", "focusTime", "fromGmail", "outOfOffice", "workingLocation"]);
  if (before && type !== (before.eventType ?? "default")) throw invalid("Event type cannot be changed.");
  if (!before && type === "fromGmail") throw invalid("Invalid event type.");
  const isAnnual = event.recurrence?.some((line) => /FREQ=YEARLY/.test(line));
  if (!before && type === "birthday" && !(event.start?.date && isAnnual)) throw invalid("Invalid birthday event.");
}
