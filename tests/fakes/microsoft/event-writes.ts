import type { Recipient } from "@microsoft/microsoft-graph-types";
import { checkEditable, checkVersion, entryOf, isOrganizer } from "./access";
import { movesInTime, withoutResponses } from "./attendees";
import { graphError, invalidRequest, type WireResponse } from "./errors";
import { type Body, checkNames, contentAfter, newContent } from "./event-fields";
import { asOrganizer, viewOf, viewOptions } from "./event-view";
import { deleteOccurrence, patchOccurrence } from "./exceptions";
import { announce } from "./mails";
import { afterBody, wantedMeeting, writeBlob } from "./meetings";
import type { Item } from "./occurrences";
import { propertiesAfter } from "./properties";
import { jsonBody, preferences, type WireRequest } from "./request";
import { endsExceptions, seriesAfter } from "./series";
import type { Account, EventContent, StoredEvent, World } from "./state";
import { addEvent, removeEvent, touch } from "./store";
import { storedTime } from "./times";

const recipientOf = ({ name, email }: Account): Recipient => ({ emailAddress: { name, address: email } });

/** POST of an event into a calendar; "" is the default one. */
export function createEvent(world: World, account: Account, request: WireRequest, calendarId: string): WireResponse {
  const { calendar } = entryOf(account, calendarId);
  checkEditable(account, calendar);
  const body = jsonBody(request);
  const repeated = transactionOf(world, account, body);
  const event = repeated ?? created(world, account, body, calendar.id);
  return { ...shown(world, account, request, { event }), status: 201 };
}

/**
 * Type Event, transactionId: "to avoid redundant POST operations in case of client retries to create the same event". The refusal is quoted
 * by alcionai/corso#2490; that it has status 409 is [K], and that a deleted event's id stays used.
 */
function transactionOf(world: World, account: Account, body: Body): StoredEvent | undefined {
  const known = account.transactions.get(String(body.transactionId ?? ""));
  if (!known) return undefined;
  const isThere = known.event.calendar.events.has(known.event.id);
  const isSame = known.body === JSON.stringify(body);
  if (isThere && isSame && world.knobs.repeatedTransaction === "returned") return known.event;
  const message =
    "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.";
  throw graphError({ status: 409, code: "ErrorDuplicateTransactionId", message });
}

function created(world: World, account: Account, body: Body, calendarId: string): StoredEvent {
  const { calendar } = entryOf(account, calendarId);
  checkNames(body);
  const base: EventContent = {
    ...newContent,
    start: storedTime(world.knobs, body.start, "start"),
    end: storedTime(world.knobs, body.end, "end"),
  };
  const { content, recurrence } = seriesAfter(world.knobs, contentAfter(world.knobs, base, body), body, null);
  const event = addEvent(world, calendar, {
    content,
    recurrence,
    organizer: recipientOf(calendar.owner),
    responseStatus: asOrganizer,
    isCancelled: false,
    properties: propertiesAfter(new Map(), body.singleValueExtendedProperties),
    meeting: wantedMeeting(world, calendar, body),
    ...(typeof body.transactionId === "string" && { transactionId: body.transactionId }),
  });
  writeBlob(event);
  if (event.transactionId) account.transactions.set(event.transactionId, { event, body: JSON.stringify(body) });
  announce(world, { event, after: event.content });
  return event;
}

/** PATCH of an event, a series or an occurrence. */
export function updateEvent(world: World, account: Account, request: WireRequest, item: Item): WireResponse {
  checkEditable(account, item.event.calendar);
  const body = jsonBody(request);
  checkVersion(item, request.headers["if-match"], body.changeKey);
  checkNames(body);
  // "After you set transactionId when creating an event, you can't change transactionId in a subsequent update." [K]: it is ignored.
  if (item.date === undefined) patchEvent(world, item.event, body);
  else patchOccurrence(world, item.event, item.date, body);
  return shown(world, account, request, item);
}

function patchEvent(world: World, event: StoredEvent, body: Body): void {
  const before = event.content;
  const after = seriesAfter(world.knobs, contentAfter(world.knobs, before, body), body, event.recurrence);
  const properties = propertiesAfter(event.properties, body.singleValueExtendedProperties);
  const isOwn = isOrganizer(event);
  const isMoved =
    movesInTime(before, after.content) || JSON.stringify(after.recurrence) !== JSON.stringify(event.recurrence);
  if (event.recurrence && endsExceptions(event, after)) {
    event.exceptions.clear();
    event.cancelled.clear();
  }
  event.previous = before;
  event.content = isMoved && isOwn ? asked(after.content) : after.content;
  event.recurrence = after.recurrence;
  event.properties = properties;
  event.meeting ??= isOwn ? wantedMeeting(world, event.calendar, body) : null;
  afterBody(event, body, body.body !== undefined);
  writeBlob(event);
  touch(world, event);
  // [K]: what somebody else than the organizer changes stays in the own copy.
  if (isOwn) announceAll(world, event, before);
}

const asked = (content: EventContent): EventContent => ({ ...content, attendees: withoutResponses(content.attendees) });

/** "multiple notification emails will be sent out: one for the master series and one per instance that has been updated". */
function announceAll(world: World, event: StoredEvent, before: EventContent): void {
  announce(world, { event, before, after: event.content });
  for (const occurrence of event.exceptions.keys())
    announce(world, { event, before, after: event.content, occurrence });
}

/** DELETE: the organizer's sends cancellations ("Delete event"), a guest's sends nothing. */
export function deleteEvent(world: World, account: Account, request: WireRequest, item: Item): WireResponse {
  checkEditable(account, item.event.calendar);
  checkVersion(item, request.headers["if-match"]);
  dropItem(world, item);
  return { status: 204 };
}

/** Takes an event or an occurrence out of the calendar, and tells the guests. */
export function dropItem(world: World, { event, date }: Item, comment?: string): void {
  if (date !== undefined) {
    deleteOccurrence(world, event, date, comment);
    return;
  }
  removeEvent(world, event);
  if (isOrganizer(event)) announce(world, { event, before: event.content, ...(comment !== undefined && { comment }) });
}

function shown(world: World, account: Account, request: WireRequest, item: Item): WireResponse {
  const prefers = preferences(request);
  const view = viewOf(item, viewOptions(world.knobs, account, prefers));
  const context = `${world.origin}/v1.0/$metadata#users('${account.oid}')/events/$entity`;
  const applied = prefers.applied.length > 0 && { headers: { "preference-applied": prefers.applied.join(", ") } };
  return { status: 200, ...applied, body: { "@odata.context": context, ...view } };
}

/** 400 for actions that only guests, or only organizers, may take; texts of "event: cancel" and [K]. */
export function checkRole(item: Item, role: "organizer" | "guest"): void {
  if (role === "organizer" && !isOrganizer(item.event)) {
    throw invalidRequest("Your request can't be completed. You need to be an organizer to cancel a meeting.");
  }
  if (role === "guest" && isOrganizer(item.event)) {
    throw invalidRequest(
      "Your request can't be completed. You can't respond to this meeting because you're the meeting organizer.",
    );
  }
}
