import { randomBytes } from "node:crypto";
import type { Viewer } from "./access";
import { attendeesAfter, movesInTime } from "./attendees";
import { begin, conferenceAfter, hangoutLink } from "./conferences";
import { invalid, knownErrors, type WireResponse } from "./errors";
import { checkEventType, checkFields, checkId, merged, withoutNulls, writableOf } from "./event-fields";
import { viewOf } from "./event-view";
import { eventOf, instanceOf } from "./instances";
import { announce, sendUpdatesOf } from "./mails";
import { checkRecurrence } from "./recurrence";
import { flag, integer, jsonBody, type WireRequest } from "./request";
import { changeExceptions, sharedVisibility } from "./series";
import { type EventResource, etagOf, rfc3339, type StoredEvent, type World } from "./state";
import { normalized } from "./times";

type Body = Record<string, unknown>;

/** [K]: the text that public reports quote. */
const LOW_SEQUENCE =
  "Invalid sequence value. The specified sequence number is below the current sequence number of the resource. " +
  "Re-fetch the resource and use its sequence number on the following request.";

/** events.insert. */
export function insertEvent(world: World, viewer: Viewer, request: WireRequest): WireResponse {
  const body = withoutNulls(jsonBody(request));
  const id = body.id === undefined ? randomBytes(16).toString("hex") : checkId(body.id);
  // The guide "Handle API errors", 409; a deleted event keeps its id (googleapis/google-api-python-client#210).
  if (viewer.calendar.events.has(id)) throw knownErrors.duplicate();
  const person = { email: viewer.account.email };
  // Guide "Calendars & events", Organizers: "the calendar containing the main copy of the event".
  const organizer = viewer.calendar.primary
    ? person
    : { email: viewer.calendar.id, displayName: viewer.calendar.summary };
  const iCalUID = typeof body.iCalUID === "string" ? body.iCalUID : `${id}@google.com`;
  const frame = { id, iCalUID, created: rfc3339(world.now()), creator: person, organizer, sequence: 0 };
  return write(world, viewer, request, { frame, wanted: writableOf(body), given: body as EventResource });
}

/** events.update: the body replaces the event. [K]: a deleted event comes back by it, as by a patch of its status. */
export function updateEvent(world: World, viewer: Viewer, request: WireRequest, id: string): WireResponse {
  const before = expected(viewer, request, id);
  const body = withoutNulls(jsonBody(request));
  return write(world, viewer, request, { before, wanted: writableOf(body), given: body as EventResource });
}

/** events.patch: the body is merged into the event. */
export function patchEvent(world: World, viewer: Viewer, request: WireRequest, id: string): WireResponse {
  const before = expected(viewer, request, id);
  const body = jsonBody(request);
  const wanted = merged(writableOf({ ...before.resource }), writableOf(body));
  return write(world, viewer, request, { before, wanted, given: body as EventResource });
}

/** events.delete: 204, and 410 the second time. */
export function deleteEvent(world: World, viewer: Viewer, request: WireRequest, id: string): WireResponse {
  const before = expected(viewer, request, id);
  if (before.resource.status === "cancelled") throw knownErrors.deleted();
  const after = { ...before.resource, status: "cancelled", updated: rfc3339(world.now()) };
  const sendUpdates = sendUpdatesOf(request.query);
  store(world, viewer, before, after);
  announce(world, { calendar: viewer.calendar, before: before.resource, after, sendUpdates });
  return { status: 204 };
}

/** The event of a write, if it is the version that If-Match expects: guide "Handle API errors", 412. */
function expected({ calendar }: Viewer, { headers }: WireRequest, id: string): StoredEvent {
  const event = eventOf(calendar, id);
  const match = headers["if-match"];
  if (match !== undefined && match !== "*" && match !== etagOf(event.version)) throw knownErrors.conditionNotMet();
  return event;
}

interface Write {
  /** Undefined for an insert. */
  before?: StoredEvent;
  /** What an insert begins with. */
  frame?: EventResource;
  /** Every writable field after the write. */
  wanted: Body;
  /** The body as it came. */
  given: EventResource;
}

function write(
  world: World,
  viewer: Viewer,
  request: WireRequest,
  { before, frame, wanted, given }: Write,
): WireResponse {
  const { calendar } = viewer;
  const { query } = request;
  const maxAttendees = integer(query, "maxAttendees", 1);
  const sendUpdates = sendUpdatesOf(query);
  const after = { ...(frame ?? keptOf(before?.resource ?? {})), ...(wanted as EventResource) };
  checkShared(viewer, before?.resource, after);
  const asked = timesIn(after);
  finishTimes(after, calendar.timeZone);
  finishOwners(viewer, before, after, flag(query, "supportsAttachments"));
  checkFields(after, calendar.timeZone);
  checkEventType(after, before?.resource);
  checkRecurrence(after, asked);
  finishPeople(viewer, before?.resource, after);
  finishConference(viewer, before?.resource, after, integer(query, "conferenceDataVersion") ?? 0);
  finishSequence(before?.resource, after, given);
  // Field `updated`: "Updating event reminders will not cause this to change." The etag moves [K] (FamilyHQ, live responses).
  if (!before || differ(before.resource, after)) after.updated = rfc3339(world.now());
  const stored = store(world, viewer, before, after);
  announce(world, { calendar, ...(before && { before: before.resource }), after: stored.resource, sendUpdates });
  const body = viewOf(viewer, stored, { origin: world.origin, ...(maxAttendees !== undefined && { maxAttendees }) });
  return { status: 200, body };
}

/** The fields that an event keeps unless the body changes them, and those that no body changes. */
const kept = [
  ...["id", "iCalUID", "created", "updated", "creator", "organizer"],
  ...["sequence", "recurringEventId", "originalStartTime", "eventType"],
];

const keptOf = (event: EventResource): EventResource =>
  Object.fromEntries(Object.entries(event).filter(([name]) => kept.includes(name)));

const timesIn = ({ start, end }: EventResource) => ({ ...(start && { start }), ...(end && { end }) });

/** The guide "Handle API errors", 403 forbiddenForNonOrganizer: a PUT without these fields sets them to their defaults. */
function checkShared({ calendar }: Viewer, before: EventResource | undefined, after: EventResource): void {
  if (!before || before.organizer?.email === calendar.id) return;
  const shared = ({
    guestsCanInviteOthers = true,
    guestsCanModify = false,
    guestsCanSeeOtherGuests = true,
  }: EventResource) => JSON.stringify([guestsCanInviteOthers, guestsCanModify, guestsCanSeeOtherGuests]);
  if (shared(before) !== shared(after)) throw knownErrors.forbiddenForNonOrganizer();
}

function finishTimes(after: EventResource, zone: string): void {
  after.start = normalized(after.start, "start", zone);
  after.end = normalized(after.end, "end", zone);
  after.status ??= "confirmed";
  after.eventType ??= "default";
  after.reminders ??= { useDefault: true };
  if (after.recurringEventId || after.recurrence?.length === 0) delete after.recurrence;
}

/** Fields `source` (the creator's alone) and `attachments` (only with supportsAttachments), and `birthdayProperties` (immutable). */
function finishOwners(
  { account }: Viewer,
  before: StoredEvent | undefined,
  after: EventResource,
  attaches: boolean,
): void {
  const keep = (name: "source" | "attachments" | "birthdayProperties") => {
    const old = before?.resource[name];
    if (old) Object.assign(after, { [name]: old });
    else delete after[name];
  };
  if (after.creator?.email !== account.email) keep("source");
  if (!attaches) keep("attachments");
  if (before) keep("birthdayProperties");
}

function finishPeople({ calendar }: Viewer, before: EventResource | undefined, after: EventResource): void {
  const attendees = attendeesAfter(calendar, before, after);
  if (attendees) after.attendees = attendees;
  else delete after.attendees;
  delete after.attendeesOmitted;
}

function finishConference(
  { calendar }: Viewer,
  before: EventResource | undefined,
  after: EventResource,
  version: number,
): void {
  if (version > 1) throw invalid(`Invalid value '${version}' for parameter conferenceDataVersion.`);
  const conference = conferenceAfter(calendar, before, after, version);
  if (conference) after.conferenceData = conference;
  else delete after.conferenceData;
  const link = hangoutLink(conference);
  if (link) after.hangoutLink = link;
}

/** RFC 5545 section 3.8.7.4: a change of time counts the sequence up. [K]: a lower number than the present one is refused. */
function finishSequence(before: EventResource | undefined, after: EventResource, given: EventResource): void {
  const current = before?.sequence ?? 0;
  if (typeof given.sequence === "number" && given.sequence < current) throw invalid(LOW_SEQUENCE);
  const asked = given.sequence ?? current;
  after.sequence = before && movesInTime(before, after) ? Math.max(asked, current + 1) : asked;
}

function differ(before: EventResource, after: EventResource): boolean {
  const text = ({ reminders: _, updated: __, ...rest }: EventResource) =>
    JSON.stringify(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1)));
  return text(before) !== text(after);
}

/** Stores what was written, notifies watchers, and carries a change of a series to its exceptions. */
function store(world: World, { calendar }: Viewer, before: StoredEvent | undefined, after: EventResource): StoredEvent {
  const id = after.id ?? "";
  const instance = after.recurringEventId ? instanceOf(calendar, id) : undefined;
  const known = calendar.events.get(id);
  if (instance && after.visibility !== before?.resource.visibility) {
    after.visibility = sharedVisibility(instance.master, after.visibility);
  }
  const version = world.nextVersion();
  const stored: StoredEvent = { resource: { ...after, id }, position: known?.position ?? version, version };
  calendar.events.set(id, stored);
  calendar.updated = world.now();
  begin(world, stored);
  if (before?.resource.recurrence) changeExceptions(world, calendar, before.resource, stored);
  world.changed({ events: calendar.id });
  return stored;
}
