import { invalid, required } from "./errors";
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
/** [K]: the reference of older editions: at most 5 overrides. */
const MOST_REMINDERS = 5;
/** Type EventReminder, field `minutes`. */
const LONGEST_REMINDER = 40_320;

/** The fields of a body that have any effect. */
export function writableOf(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(writable.filter((name) => name in body).map((name) => [name, body[name]]));
}

/** A patch: objects merge, arrays are replaced whole, null clears (guide "Working with partial resources"). */
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

/** What the reference says of single fields; texts of errors are [K]. */
export function checkFields(event: EventResource, zone: string): void {
  checkRange(event.start ?? {}, event.end ?? {}, zone);
  oneOf("status", event.status, ["confirmed", "tentative", "cancelled"]);
  oneOf("visibility", event.visibility, ["default", "public", "private", "confidential"]);
  oneOf("transparency", event.transparency, ["opaque", "transparent"]);
  // The event section of the colors definition has the ids 1 to 11.
  oneOf(
    "colorId",
    event.colorId,
    Array.from({ length: 11 }, (_, index) => String(index + 1)),
  );
  if ((event.description ?? "").length > LONGEST_DESCRIPTION) throw invalid("The description is too long.");
  if ((event.attachments ?? []).length > MOST_ATTACHMENTS) throw invalid("Too many attachments.");
  if (event.attachments?.some(({ fileUrl }) => !fileUrl)) throw required("Missing attachment file url.");
  if (event.source && !/^https?:\/\//.test(event.source.url ?? "")) throw invalid("Invalid source url.");
  checkReminders(event);
  checkAttendees(event);
  checkProperties(event);
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

// The guide "Handle API errors" shows the reason timeRangeEmpty for timeMax; for events the location is [K].
const emptyRange = () => {
  const error = invalid("The specified time range is empty.");
  const [first] = (error.response.body as { error: { errors: { domain: string; reason: string }[] } }).error.errors;
  if (first) Object.assign(first, { domain: "calendar", reason: "timeRangeEmpty" });
  return error;
};

function checkReminders({ reminders }: EventResource): void {
  const overrides = reminders?.overrides ?? [];
  if (reminders?.useDefault && overrides.length > 0) {
    throw invalid("Cannot specify both default reminders and overrides at the same time.");
  }
  if (overrides.length > MOST_REMINDERS) throw invalid("Too many override reminders.");
  for (const { method, minutes } of overrides) {
    if (!method || typeof minutes !== "number") throw required("Missing reminder method or minutes.");
    oneOf("reminders.overrides.method", method, ["email", "popup"]);
    if (minutes < 0 || minutes > LONGEST_REMINDER) throw invalid("Invalid reminder minutes.");
  }
}

function checkAttendees({ attendees }: EventResource): void {
  for (const { email, responseStatus } of attendees ?? []) {
    if (!email) throw required("Missing attendee email.");
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalid("Invalid attendee email.");
    oneOf("attendees.responseStatus", responseStatus, ["needsAction", "declined", "tentative", "accepted"]);
  }
}

function checkProperties({ extendedProperties }: EventResource): void {
  const values = [extendedProperties?.private, extendedProperties?.shared].flatMap((part) => Object.values(part ?? {}));
  if (values.some((value) => typeof value !== "string")) throw invalid("Invalid extended property value.");
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
