import type {
  EventState,
  OccurrenceChanges,
  Person,
  RuleSeries,
  StoredIcalRecurrence,
} from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { merge } from "@/server/domain/merge/merge";
import { firstOf, toIcalRecurrence } from "@/server/domain/merge/to-ical-recurrence";
import { type Pieces, whole } from "@/server/domain/pieces";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import { basic } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { cleaned } from "@/server/domain/text";
import type { Instant } from "@/server/domain/time/instant";
import { zone } from "@/server/domain/time/zone";
import { readContent } from "@/server/providers/caldav/icalendar/read/read-content";
import {
  type EventComponents,
  eventsFound,
  masterRead,
  sequenceOf,
} from "@/server/providers/caldav/icalendar/read/read-resource";
import {
  isDaily,
  type Master,
  readOverride,
  seriesRead,
  type ToRead,
} from "@/server/providers/caldav/icalendar/read/read-series";
import type { Times } from "@/server/providers/caldav/icalendar/read/read-times";
import {
  type Component,
  calendarRead,
  calendarWritten,
} from "@/server/providers/caldav/icalendar/text/calendar-object";
import { line, propertyOf, replaceLines } from "@/server/providers/caldav/icalendar/text/content-line";
import { writable, writeRaw, writeText } from "@/server/providers/caldav/icalendar/text/text-value";
import { writeContent } from "@/server/providers/caldav/icalendar/write/write-content";
import { writeGuests } from "@/server/providers/caldav/icalendar/write/write-guests";
import { writeOverrides } from "@/server/providers/caldav/icalendar/write/write-overrides";
import { type SeriesToWrite, writeRule } from "@/server/providers/caldav/icalendar/write/write-series";
import { type TimesToWrite, writeTimes } from "@/server/providers/caldav/icalendar/write/write-times";
import { namedAsBefore } from "@/server/providers/caldav/icalendar/write/zone-to-write";
import { clocksOf, clocksOn } from "@/server/providers/caldav/icalendar/zones/clocks";
import { putZones } from "@/server/providers/caldav/icalendar/zones/put-zones";
import type { NamedZone } from "@/server/providers/zone-names";

export interface WriteResourceInput {
  /** The resource as the server has it. Null: it is new. */
  existing: string | null;
  /** Finds the event, if the resource may have several. Omitted: the first. */
  pick?: (events: readonly EventComponents[]) => EventComponents | undefined;
  /** The uid of a new resource. An existing one keeps its own. */
  uid: string;
  state: EventState;
  /** Its series as both sides last had it. Omitted or null: unknown, the local exceptions are written. */
  base?: RuleSeries | null;
  /** What the application has changed since then (`changedFieldsOf`). Omitted or null: unknown, the whole local event is written. */
  changedFields?: readonly string[] | null;
  /** The organizer while there are guests. */
  owner: Person | null;
  /** Addresses that the application removed from the guest list. */
  removedGuests: readonly string[];
  /** Whether the server notifies the guests. */
  notify: boolean;
  /** Others created the event: its people stay as they are. */
  isForeign?: boolean;
  now: number;
  /** The calendar's time zone, for times of `existing` that have none, as in `readResource`. */
  tzid?: string | null;
}

const PRODUCT = "-//Almanac//Almanac//EN";

export interface WrittenResource {
  ics: string;
  /** Whether it contains remote changes in addition to the local state. */
  tookRemote: boolean;
}

/** Merges a resource like `mergeResource` and returns the text alone. */
export function writeResource(input: WriteResourceInput): string {
  return mergeResource(input).ics;
}

/**
 * Writes an event as a calendar object resource (RFC 4791 §4.1). An existing resource keeps everything that the application has not
 * changed: properties that nobody here understands, guests' replies, guests added by others, and all other changes of others,
 * including single occurrences. An `icalRecurrence` series repeats as the resource says. The application's series becomes RRULE,
 * EXDATE and overrides.
 */
export function mergeResource(input: WriteResourceInput): WrittenResource {
  return whole(resourceMerged(input));
}

/** Merges a resource like `mergeResource`, in pieces. */
export function* resourceMerged(input: WriteResourceInput): Pieces<WrittenResource> {
  const { existing, now } = input;
  const calendar = (existing === null ? null : yield* calendarRead(existing)) ?? newCalendar();
  const all = yield* eventsFound(calendar);
  const found = input.pick ? input.pick(all) : all[0];
  const main = found?.main ?? newEvent(found?.uid || input.uid, now);
  const about: ToRead = { clocks: clocksOf(calendar, input.tzid ?? null), ownAddresses: [] };
  yield;
  const before = yield* masterRead(main, about);
  yield;
  const repetition = before && (yield* seriesRead(before, found?.overrides ?? [], about));
  const { base = null, changedFields = null } = input;
  const remote = before && { ...stateOf(before), icalRecurrence: repetition };
  const {
    state,
    series: merged,
    tookRemote,
  } = yield* merge({ local: input.state, base, changedFields, remote, spelling });
  yield;
  const target = targetOf(state, before);
  const people = { removed: input.removedGuests, owner: input.owner, notify: input.notify, isForeign: input.isForeign };

  const { isRescheduled, sameDays } = yield* writeMaster(main, {
    target,
    state,
    before,
    repetition,
  });
  yield;
  writeContent(main, state, { before: before?.content ?? readContent(main, []), isNew: existing === null });
  yield;
  yield* writeGuests(main, { ...people, guests: state.attendees });
  const master = before ?? (yield* masterRead(main, about));
  const namesDays = repetition !== null && isDaily(repetition);
  const { read, unread } = yield* readOverrides(found?.overrides ?? [], master && { namesDays, ...master }, about);
  const { series, named } = target;
  const form = { named, allDay: state.span.allDay };
  const invited = newGuests(state, before);
  const toWrite = {
    ...form,
    state,
    merged,
    master: main,
    before: read,
    sameDays,
    clocks: master ? clocksOn(master.times.clock, about.clocks) : about.clocks,
    people,
    invited,
  };
  const written = [main, ...(series ? yield* writeOverrides({ ...toWrite, series }) : [])];
  for (const one of written) {
    stamp(one, now);
    yield;
  }
  const events = [...written, ...(series && sameDays ? unread : [])];
  const replaced = new Set(found?.all);
  const at = calendar.components.findIndex((one) => replaced.has(one));
  const kept = calendar.components.filter((one) => !replaced.has(one));
  calendar.components = at < 0 ? [...kept, ...events] : [...kept.slice(0, at), ...events, ...kept.slice(at)];
  const from = (series?.overrides ?? []).reduce<number>(
    (least, { starts }) => Math.min(least, starts),
    state.span.starts,
  );
  yield;
  yield* putZones(calendar, {
    from: from as Instant,
    now: now as Instant,
    renewed: isRescheduled ? named : null,
  });
  yield;
  return { ics: yield* calendarWritten(calendar), tookRemote };
}

/** Texts as iCalendar stores them. */
const spelling = { text: writable, link: (url: string) => cleaned(writeRaw(url)) };

function stateOf({ content, times }: Master): EventState {
  return { ...content, span: times.span, tzid: times.clock.tzid, ruleSeries: null, icalRecurrence: null };
}

function newGuests({ attendees }: EventState, before: Master | null): Guest[] {
  const known = new Set(before?.content.attendees.map(({ email }) => email));
  return attendees.filter(({ email }) => !known.has(email));
}

interface WritableObject extends SeriesToWrite {
  times: TimesToWrite;
}

interface MasterToWrite {
  target: WritableObject;
  state: EventState;
  before: Master | null;
  /** The recurrence before the write. */
  repetition: StoredIcalRecurrence | null;
}

function newCalendar(): Component {
  const lines = [line("VERSION", "2.0"), line("PRODID", PRODUCT), line("CALSCALE", "GREGORIAN")];
  return { name: "VCALENDAR", lines, components: [] };
}

function newEvent(uid: string, now: number): Component {
  const lines = [
    line("UID", writeText(uid)),
    line("DTSTAMP", basic(now as Instant)),
    line("CREATED", basic(now as Instant)),
  ];
  return { name: "VEVENT", lines, components: [] };
}

/** Determines the times and recurrence to write to a master. */
function targetOf(state: EventState, before: Master | null): WritableObject {
  const { span, tzid, icalRecurrence } = state;
  const series = toIcalRecurrence(state);
  const found = span.allDay || tzid === null ? null : zone(tzid);
  const own: NamedZone | null = found && tzid !== null ? { tzid, zone: found } : null;
  const first = firstOf(state);
  const { allDay } = span;
  if (!series) return { series, first, named: own, times: { ...span, named: own } };
  const starts = instantOn({ allDay, zone: first.zone }, series.start);
  const named = own && namedAsBefore(own, starts, before);
  const ends = (starts + span.ends - span.starts) as Instant;
  const { start } = series;
  return {
    series,
    first,
    named,
    times: { allDay, named, starts, ends, start, ...(icalRecurrence && { duration: icalRecurrence.duration }) },
  };
}

function* writeMaster(main: Component, { target, before, repetition }: MasterToWrite) {
  const was: SeriesToWrite = {
    series: repetition,
    first: target.first,
    named: null,
    ...(before && { first: firstOf({ span: before.times.span, tzid: before.times.clock.tzid }) }),
  };
  const isMoved = writeTimes(main, target.times, before?.times ?? null);
  const { rule, exdates } = yield* writeRule(main, target, was);
  const isRescheduled = isMoved || rule || exdates;
  const sequence = sequenceOf(main) + (before && isRescheduled ? 1 : 0);
  replaceLines(main, ["SEQUENCE"], [line("SEQUENCE", String(sequence))]);
  return { isRescheduled, sameDays: before === null || !(rule || startsOtherwise(target.times, before.times)) };
}

function startsOtherwise({ allDay, starts, named }: TimesToWrite, { span, clock }: Times): boolean {
  return allDay !== span.allDay || starts !== span.starts || (!allDay && (named?.zone ?? null) !== clock.zone);
}

function* readOverrides(
  components: readonly Component[],
  master: (Master & { namesDays: boolean }) | null,
  about: ToRead,
) {
  const read: { component: Component; override: IcalOverride<OccurrenceChanges> }[] = [];
  const unread: Component[] = [];
  for (const component of components) {
    const override = master && readOverride(component, master, about);
    if (override) read.push({ component, override });
    else unread.push(component);
    yield;
  }
  return { read, unread };
}

function stamp(component: Component, now: number): void {
  replaceLines(component, ["DTSTAMP"], [line("DTSTAMP", basic(now as Instant))]);
  replaceLines(component, ["LAST-MODIFIED"], [line("LAST-MODIFIED", basic(now as Instant))]);
  if (!propertyOf(component, "CREATED")) component.lines.push(line("CREATED", basic(now as Instant)));
}
