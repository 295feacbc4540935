import type { EventContent } from "@/server/domain/events/event-content";
import type { EventState } from "@/server/domain/events/event-state";
import { guestAddress } from "@/server/domain/events/guests";
import { type Pieces, whole } from "@/server/domain/pieces";
import { toLocal } from "@/server/domain/time/zone";
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

export type ReadResource = { uid: string; state: EventState } | { fault: string };

/** Bytes of UTF-8. */
const MOST_BYTES = 1_048_576;
/** A daily occurrence changed for ten years. */
const MOST_OVERRIDES = 3_650;
const EVENTS_A_PIECE = 200;
const DAY_MS = 86_400_000;

/**
 * Reads a calendar object resource (RFC 4791 §4.1): one event with the overrides of its occurrences, or overrides alone, for somebody
 * invited to single occurrences. Unreadable parts are omitted. Texts are never truncated.
 * @returns `fault` where there is no readable event. It never quotes the text
 */
export function readResource(ics: string, about: ReadAbout): ReadResource {
  return whole(resourceRead(ics, about));
}

/** As `readResource`, in pieces. */
export function* resourceRead(ics: string, { ownAddresses, tzid = null }: ReadAbout): Pieces<ReadResource> {
  if (Buffer.byteLength(ics) > MOST_BYTES) return { fault: "larger than 1 MiB" };
  const calendar = yield* calendarRead(ics);
  if (!calendar) return { fault: "not a calendar object" };
  yield;
  if (!/^END:VCALENDAR\s*$/im.test(ics.slice(-64))) return { fault: "a text that ends too early" };
  const found = yield* eventFound(calendar);
  if (!found) return { fault: "a calendar object without an event" };
  const { uid, main, overrides } = found;
  yield;
  const about: ToRead = { clocks: clocksOf(calendar, tzid), ownAddresses: ownAddresses.map(guestAddress) };
  const master =
    (main && (yield* masterRead(main, about))) ?? (yield* standIn(overrides.slice(0, MOST_OVERRIDES), about));
  if (!master) return { fault: "an event without a start" };
  yield;
  const icalRecurrence = yield* seriesRead(master, overrides.slice(0, MOST_OVERRIDES), about);
  const { times, content } = master;
  const isGone = master.component !== main && icalRecurrence?.overrides.every(({ cancelled }) => cancelled);
  const status = isGone ? "cancelled" : content.status;
  return {
    uid,
    state: { span: times.span, tzid: times.clock.tzid, ruleSeries: null, icalRecurrence, ...content, status },
  };
}

export interface EventComponents {
  uid: string;
  main: Component | null;
  overrides: Component[];
  /** Limits these, including outdated masters. */
  all: Component[];
}

/** The components of one event, in pieces: the first of several UIDs, the newest of several masters. */
export function* eventFound(calendar: Component): Pieces<EventComponents | null> {
  const [first, ...others] = componentsOf(calendar, "VEVENT");
  if (!first) return null;
  const uid = uidOf(first);
  const named: { one: Component; sequence: number; isOverride: boolean }[] = [];
  for (const one of [first, ...others]) {
    if (named.length % EVENTS_A_PIECE === EVENTS_A_PIECE - 1) yield;
    if (one !== first && uidOf(one) !== uid) continue;
    named.push({ one, sequence: sequenceOf(one), isOverride: propertyOf(one, "RECURRENCE-ID") !== null });
  }
  named.sort((a, b) => a.sequence - b.sequence);
  return {
    uid,
    main: named.findLast(({ isOverride }) => !isOverride)?.one ?? null,
    overrides: named.flatMap(({ one, isOverride }) => (isOverride ? one : [])),
    all: named.map(({ one }) => one),
  };
}

/** How often the organizer has made a significant change (RFC 5545 §3.8.7.4). */
export function sequenceOf(component: Component): number {
  const number = Number(propertyOf(component, "SEQUENCE")?.value ?? 0);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

/** The event itself, in pieces. Null: it has no readable start. */
export function* masterRead(component: Component, { clocks, ownAddresses }: ToRead): Pieces<Master | null> {
  const times = readTimes(component, clocks);
  yield;
  return times && { component, times, content: readContent(component, ownAddresses) };
}

function uidOf(component: Component): string {
  return readText(propertyOf(component, "UID")?.value ?? "").trim();
}

/** The first override that is not cancelled, as a series of that occurrence at its original start. */
function* standIn(overrides: readonly Component[], { clocks, ownAddresses }: ToRead): Pieces<Master | null> {
  const read: { component: Component; content: EventContent }[] = [];
  for (const component of overrides) {
    yield;
    read.push({ component, content: readContent(component, ownAddresses) });
  }
  const isCancelled = ({ content }: { content: EventContent }) => content.status === "cancelled";
  for (const { component, content } of [...read.filter((one) => !isCancelled(one)), ...read.filter(isCancelled)]) {
    const [id] = propertiesOf(component, "RECURRENCE-ID").flatMap((one) => readMoment(one, clocks) ?? []);
    const now = readTimes(component, clocks);
    if (!id) continue;
    const { starts, ends, allDay } = now?.span ?? { starts: 0, ends: DAY_MS, allDay: true };
    const length = allDay ? { days: (ends - starts) / DAY_MS, exact: 0 } : { days: 0, exact: ends - starts };
    const lasts = id.isDate && !allDay ? { days: 1, exact: 0 } : length;
    return { component, times: timesFrom(now ? onClockOf(now, id) : id, lasts), content };
  }
  return null;
}

/** An original start in UTC, as some clients write it, on the clock of the occurrence itself. */
function onClockOf({ clock }: Times, id: Moment): Moment {
  if (id.isDate || id.clock.zone || !clock.zone) return id;
  return { isDate: false, local: toLocal(clock.zone, instantOf(id)), clock };
}
