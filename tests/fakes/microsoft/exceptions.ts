import { isOrganizer } from "./access";
import { movesInTime, withoutResponses } from "./attendees";
import { invalidRequest } from "./errors";
import { type Body, contentAfter } from "./event-fields";
import { announce } from "./mails";
import { contentOf } from "./occurrences";
import { propertiesAfter } from "./properties";
import { checkBoundary } from "./series";
import type { EventContent, Exception, StoredEvent, World } from "./state";
import { touch } from "./store";

/** A PATCH of an occurrence: it becomes an exception of its series. */
export function patchOccurrence(world: World, event: StoredEvent, date: string, body: Body): void {
  if (body.recurrence) throw invalidRequest("Recurrence can't be set on an occurrence or exception of a series.");
  const before = contentOf({ event, date });
  const after = contentAfter(world.knobs, before, body);
  checkBoundary(world.knobs, { event, date }, after);
  const isAsked = isOrganizer(event) && movesInTime(before, after);
  const content = isAsked ? { ...after, attendees: withoutResponses(after.attendees) } : after;
  const exception = exceptionAt(event, date);
  setException(world, event, date, {
    ...exception,
    own: ownFields(event, content),
    properties: propertiesAfter(exception.properties, body.singleValueExtendedProperties),
  });
  if (isOrganizer(event)) announce(world, { event, before, after: content, occurrence: date });
}

/** The exception of a date, or what one begins as. */
export function exceptionAt(event: StoredEvent, date: string): Exception {
  const { start, end } = contentOf({ event, date });
  const fresh = { own: { start, end }, isCancelled: false, properties: new Map(), version: 0, modified: 0 };
  return event.exceptions.get(date) ?? fresh;
}

/** What an occurrence has otherwise than its series; [K]: the rest follows the series. */
export function ownFields(event: StoredEvent, content: EventContent): Exception["own"] {
  const { start, end, ...rest } = content;
  const master: Record<string, unknown> = { ...event.content };
  const own = Object.entries(rest).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(master[name]));
  return { ...Object.fromEntries(own), start, end };
}

export function setException(world: World, event: StoredEvent, date: string, exception: Exception): void {
  const version = touch(world, event);
  event.exceptions.set(date, { ...exception, version, modified: event.modified });
}

/** Deletes an occurrence: only its series knows of it afterwards. */
export function deleteOccurrence(world: World, event: StoredEvent, date: string, comment?: string): void {
  const before = contentOf({ event, date });
  event.cancelled.add(date);
  event.exceptions.delete(date);
  touch(world, event, world.knobs.deletedOccurrences === "silent");
  if (!isOrganizer(event)) return;
  announce(world, { event, before, occurrence: date, ...(comment !== undefined && { comment }) });
}
