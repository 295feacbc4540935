import type { EventContent } from "@/server/domain/events/event-content";
import type { EventState } from "@/server/domain/events/event-state";
import { guestAddress } from "@/server/domain/events/guests";
import { type Pieces, whole } from "@/server/domain/pieces";
import { toLocal } from "@/server/domain/time/zone";
import { withoutUnread } from "@/server/providers/caldav/icalendar/lenient/framings";
import { readContent } from "@/server/providers/caldav/icalendar/read/read-content";
import { type Master, seriesRead, type ToRead } from "@/server/providers/caldav/icalendar/read/read-series";
import {
  instantOf,
  type Moment,
  readMoment,
  readTimes,
  type Times,
  timesFrom,
} from "@/server/providers/caldav/icalendar/read/read-times";
import { type Component, calendarRead, componentsOf } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertiesOf, propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { readText } from "@/server/providers/caldav/icalendar/text/text-value";
import { clocksOf } from "@/server/providers/caldav/icalendar/zones/clocks";

export interface ReadAbout {
  /** The calendar owner's addresses. */
  ownAddresses: readonly string[];
  /** The calendar's time zone, by name, for times without one. Omitted: they are read as UTC. */
  tzid?: string | null;
}

/** One event of a resource. */
export interface ReadEvent {
  uid: string;
  /** Unique in its resource: the UID, if it has one. */
  name: string;
  state: EventState;
}

/** The events of a resource: the first, and any others. `unread`: why further ones could not be read. */
export type ReadResource =
  | (ReadEvent & { others: readonly ReadEvent[]; unread: readonly string[] })
  | { fault: string };

/** The fault of a resource that is no event: a task, a journal entry. */
export const NO_EVENT = "a calendar object without an event";

/** Bytes of UTF-8, without what is not read. */
const MOST_BYTES = 1_048_576;
/** Events of one resource, of which RFC 4791 §4.1 allows one. */
const MOST_EVENTS = 3_000;
/** A daily occurrence changed for ten years. */
const MOST_OVERRIDES = 3_650;
const EVENTS_A_PIECE = 200;
const DAY_MS = 86_400_000;

/**
 * Reads a calendar object resource (RFC 4791 §4.1): one event with the overrides of its occurrences, or overrides alone, for somebody
 * invited to single occurrences. Several events are read although the standard allows one. Unreadable parts are omitted, as the tables
 * of `lenient` decide. Texts are never truncated.
 * @returns `fault` where there is no readable event. It never quotes the text
 */
export function readResource(ics: string, about: ReadAbout): ReadResource {
  return whole(resourceRead(ics, about));
}

/** Reads a resource like `readResource`, in pieces. */
export function* resourceRead(ics: string, { ownAddresses, tzid = null }: ReadAbout): Pieces<ReadResource> {
  const text = Buffer.byteLength(ics) > MOST_BYTES ? withoutUnread(ics) : ics;
  yield;
  if (Buffer.byteLength(text) > MOST_BYTES) return { fault: "larger than 1 MiB" };
  const calendar = yield* calendarRead(text);
  if (!calendar) return { fault: text.trim() === "" ? "an empty resource" : "not a calendar object" };
  yield;
  const found = yield* eventsFound(calendar);
  if (found.length === 0) return { fault: NO_EVENT };
  yield;
  const about: ToRead = { clocks: clocksOf(calendar, tzid), ownAddresses: ownAddresses.map(guestAddress) };
  const read: ReadEvent[] = [];
  for (const one of found.slice(0, MOST_EVENTS)) {
    const state = yield* stateRead(one, about);
    if (state) read.push({ uid: one.uid, name: one.name, state });
  }
  const [first, ...others] = read;
  if (!first) return { fault: WITHOUT_START };
  const unread = Array.from({ length: Math.min(found.length, MOST_EVENTS) - read.length }, () => WITHOUT_START);
  if (found.length > MOST_EVENTS) unread.push(`more than ${MOST_EVENTS} events in one resource`);
  return { uid: first.uid, name: first.name, state: first.state, others, unread };
}

export const WITHOUT_START = "an event without a start";

/** Reads an event as it is stored, in pieces. Returns null if it has no readable start. */
export function* stateRead({ main, overrides }: EventComponents, about: ToRead): Pieces<EventState | null> {
  const some = overrides.slice(0, MOST_OVERRIDES);
  const master = (main && (yield* masterRead(main, about))) ?? (yield* standIn(some, about));
  if (!master) return null;
  yield;
  const icalRecurrence = yield* seriesRead(master, some, about);
  const { times, content } = master;
  const isGone =
    master.component !== main && (isCancelled(main) || icalRecurrence?.overrides.every(({ cancelled }) => cancelled));
  const status = isGone ? "cancelled" : content.status;
  return { span: times.span, tzid: times.clock.tzid, ruleSeries: null, icalRecurrence, ...content, status };
}

/** Reports whether a master without a readable start says that the event does not take place. */
function isCancelled(main: Component | null): boolean {
  return /^CANCELLED$/i.test((main && propertyOf(main, "STATUS"))?.value.trim() ?? "");
}

export interface EventComponents extends Pick<ReadEvent, "uid" | "name"> {
  main: Component | null;
  overrides: Component[];
  /** Limits these, including outdated masters. */
  all: Component[];
}

interface OfEvent {
  one: Component;
  sequence: number;
  isOverride: boolean;
}

/** Gives the events of a calendar with their components, in pieces: of several masters the newest. Masters without a UID are events of their own. */
export function* eventsFound(calendar: Component): Pieces<EventComponents[]> {
  const byUid = new Map<string, OfEvent[]>();
  for (const [i, one] of componentsOf(calendar, "VEVENT").entries()) {
    if (i % EVENTS_A_PIECE === EVENTS_A_PIECE - 1) yield;
    const isOverride = propertyOf(one, "RECURRENCE-ID") !== null;
    const uid = uidOf(one);
    const isFurther = uid === "" && !isOverride && byUid.has(uid);
    const key = isFurther ? ` ${i}` : uid;
    const known = byUid.get(key) ?? [];
    known.push({ one, sequence: sequenceOf(one), isOverride });
    byUid.set(key, known);
  }
  return [...byUid].map(([key, components], i) => {
    components.sort((a, b) => a.sequence - b.sequence);
    const uid = key.startsWith(" ") ? "" : key;
    return {
      uid,
      name: uid || String(i),
      main: components.findLast(({ isOverride }) => !isOverride)?.one ?? null,
      overrides: components.flatMap(({ one, isOverride }) => (isOverride ? one : [])),
      all: components.map(({ one }) => one),
    };
  });
}

/** Tells how often the organizer has made a significant change (RFC 5545 §3.8.7.4). */
export function sequenceOf(component: Component): number {
  const number = Number(propertyOf(component, "SEQUENCE")?.value ?? 0);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** Gives the event itself, in pieces. Null: it has no readable start. */
export function* masterRead(component: Component, { clocks, ownAddresses }: ToRead): Pieces<Master | null> {
  const times = readTimes(component, clocks);
  yield;
  return times && { component, times, content: readContent(component, ownAddresses) };
}

function uidOf(component: Component): string {
  return readText(propertyOf(component, "UID")?.value ?? "").trim();
}

/**
 * Reads the first override that isn't cancelled as a series of that occurrence at its original start. If all are
 * cancelled, reads the first one.
 */
function* standIn(overrides: readonly Component[], { clocks, ownAddresses }: ToRead): Pieces<Master | null> {
  const read: { component: Component; content: EventContent }[] = [];
  for (const component of overrides) {
    yield;
    read.push({ component, content: readContent(component, ownAddresses) });
  }
  const isOff = ({ content }: { content: EventContent }) => content.status === "cancelled";
  for (const { component, content } of [...read.filter((one) => !isOff(one)), ...read.filter(isOff)]) {
    const [id] = propertiesOf(component, "RECURRENCE-ID").flatMap((one) => readMoment(one, clocks) ?? []);
    const now = readTimes(component, clocks);
    if (!id) continue;
    const { starts, ends, allDay } = now?.span ?? { starts: 0, ends: DAY_MS, allDay: true };
    const length = allDay ? { days: (ends - starts) / DAY_MS, exact: 0 } : { days: 0, exact: ends - starts };
    const lasts = id.isDate && !allDay ? { days: 1, exact: 0 } : length;
    return {
      component,
      times: timesFrom(now ? onClockOf(now, id) : id, lasts),
      content,
      isOccurrence: true,
    };
  }
  return null;
}

/** Converts an original start in UTC, as some clients write it, to the clock of the occurrence itself. */
function onClockOf({ clock }: Times, id: Moment): Moment {
  if (id.isDate || id.clock.zone || !clock.zone) return id;
  return { isDate: false, local: toLocal(clock.zone, instantOf(id)), clock };
}
