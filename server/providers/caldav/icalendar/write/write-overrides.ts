import type { EventContent } from "@/server/domain/events/event-content";
import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { type Guest, guestAddress } from "@/server/domain/events/guests";
import type { MergedSeries } from "@/server/domain/merge/merge-exceptions";
import type { Pieces } from "@/server/domain/pieces";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { instantOn } from "@/server/domain/recurrence/rfc5545/series-clock";
import type { Day } from "@/server/domain/time/day";
import { readContent } from "@/server/providers/caldav/icalendar/read/read-content";
import { sequenceOf } from "@/server/providers/caldav/icalendar/read/read-resource";
import { readTimes } from "@/server/providers/caldav/icalendar/read/read-times";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { line, propertyOf, replaceLines, withParam } from "@/server/providers/caldav/icalendar/text/content-line";
import { keptReplies } from "@/server/providers/caldav/icalendar/write/kept-replies";
import { hasStandardDates } from "@/server/providers/caldav/icalendar/write/standard-lines";
import { writeContent } from "@/server/providers/caldav/icalendar/write/write-content";
import { type GuestsToWrite, writeGuests } from "@/server/providers/caldav/icalendar/write/write-guests";
import { type Form, localLine, writeTimes } from "@/server/providers/caldav/icalendar/write/write-times";
import type { Clocks } from "@/server/providers/caldav/icalendar/zones/clocks";

export interface OverridesToWrite extends Form {
  state: EventState;
  series: StoredIcalRecurrence;
  /** Which side the exceptions of the application's series come from. Null: unknown. */
  merged: MergedSeries | null;
  /** The series' component, as it is being written. */
  master: Component;
  /** The resource's overrides, each with its original start on the series' clock. */
  before: readonly { component: Component; override: Override }[];
  /** Whether the series keeps its days. Otherwise others' exceptions belong to no day. */
  sameDays: boolean;
  clocks: Clocks;
  people: Omit<GuestsToWrite, "guests">;
  /** Guests whom the series did not have before: an occurrence with guests of its own has them, too. */
  invited: readonly Guest[];
}

type Override = IcalOverride<OccurrenceChanges>;

/** No calendar server would accept so many occurrences with all this content. */
export class ResourceTooLarge extends Error {
  override name = "ResourceTooLarge";
}

const MOST_CHARACTERS = 16 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** Marks an override written by us, so that it is removed when the application reverts the change. */
const MARK = "X-ALMANAC-CHANGED";

/**
 * Gives the VEVENTs of single occurrences, those changed by the series and those changed by others, each with all of the event's content
 * (RFC 5545 §3.8.4.4). In pieces. Throws ResourceTooLarge.
 */
export function* writeOverrides(input: OverridesToWrite): Pieces<Component[]> {
  const { state, series, merged, master, before, sameDays, people } = input;
  const keyOf = ({ recurrenceId }: Override) =>
    instantOn({ allDay: input.allDay, zone: input.named?.zone ?? null }, recurrenceId);
  const known = new Map<number, Component>();
  const keys = new Map<Override, number>();
  for (const { component, override } of before) {
    keys.set(override, keyOf(override));
    known.set(keyOf(override), component);
    yield;
  }
  // The application's series has one occurrence a day, which stays the same occurrence when its time changes.
  const byDay = new Map(state.ruleSeries ? before.map(({ component, override }) => [dayOf(override), component]) : []);
  const local = new Map<number, Override>();
  for (const one of series.overrides) {
    local.set(keyOf(one), one);
    yield;
  }
  const skipped = new Set(series.exdates.map(({ text }) => text));
  const isKept = ({ component, override }: (typeof before)[number]) => {
    const isSkipped = skipped.has(localLine("X", override.recurrenceId, input).replace(/^.*:/, ""));
    const isTakenBack = merged?.changedRemotely.has(dayOf(override)) ?? false;
    return isOthers(component) && !local.has(keys.get(override) ?? 0) && !isSkipped && !isTakenBack;
  };
  const remote = new Map(before.map(({ override }) => [dayOf(override), override]));
  const others: (typeof before)[number][] = [];
  for (const one of state.ruleSeries && sameDays ? before : []) {
    if (isKept(one)) others.push(one);
    yield;
  }
  const all: Component[] = [];
  const copied = master.lines.reduce((sum, { length }) => sum + length, 0);
  yield;
  for (const [key, override] of local) {
    if (copied * all.length > MOST_CHARACTERS) throw new ResourceTooLarge();
    const day = dayOf(override);
    const isRemote = merged?.fromRemote.has(day) ?? false;
    const remoteFields = isRemote || merged?.untouched.has(day) ? remote.get(day)?.fields : undefined;
    const fields = isRemote ? (remoteFields ?? {}) : { ...besidePeople(remoteFields), ...override.fields };
    const component = known.get(key) ?? byDay.get(day);
    // What neither side has changed stays marked, or not, as it is.
    const isLocal = state.ruleSeries !== null && !isRemote && !(component && merged?.untouched.has(day));
    all.push(yield* written(input, { ...override, fields }, { known: component, isLocal }));
    yield;
  }
  const days = new Set([...local.values(), ...others.map(({ override }) => override)].map(dayOf));
  const replied = yield* keptReplies(before, {
    state,
    series,
    master,
    owner: people.owner?.email ?? null,
    written: days,
  });
  for (const { component } of replied) replaceLines(component, [MARK], []);
  for (const { component, override } of [...others, ...replied]) {
    all.push(yield* written(input, override, { known: component, isLocal: false }));
    yield;
  }
  return all;
}

function dayOf({ recurrenceId }: Override): Day {
  return Math.floor(recurrenceId / DAY_MS) as Day;
}

/** Drops an occurrence's own guests and organizer, because they follow those of the event. */
function besidePeople({ attendees: _, organizer: __, ...others }: OccurrenceChanges = {}): OccurrenceChanges {
  return others;
}

function isOthers(component: Component): boolean {
  return !propertyOf(component, MARK);
}

function* written(
  { state, master, clocks, people, invited, ...input }: OverridesToWrite,
  { recurrenceId, starts, ends, allDay, cancelled, following, fields }: Override,
  { known, isLocal }: { known: Component | undefined; isLocal: boolean },
): Pieces<Component> {
  const component = known ?? copyOf(master);
  if (!known || !input.sameDays || !(yield* hasStandardDates(component, "RECURRENCE-ID", master))) {
    const id = localLine("RECURRENCE-ID", recurrenceId, input);
    replaceLines(component, ["RECURRENCE-ID"], [following ? withParam(id, "RANGE", "THISANDFUTURE") : id]);
  }
  if (isLocal) replaceLines(component, [MARK], [line(MARK, "TRUE")]);
  const { participation_status: _, ...changes } = fields;
  const content: EventContent = { ...state, ...changes, ...(cancelled && { status: "cancelled" }) };
  const form = { ...input, allDay: allDay ?? input.allDay };
  const isMoved = writeTimes(component, { ...form, starts, ends }, readTimes(component, clocks));
  const least = sequenceOf(master);
  const sequence = Math.max(least, sequenceOf(component) + (known && isMoved ? 1 : 0));
  replaceLines(component, ["SEQUENCE"], [line("SEQUENCE", String(sequence))]);
  writeContent(component, content, { before: readContent(component, []), isNew: !known });
  const stay = new Set(state.attendees.map(({ email }) => email));
  const left = new Set(people.removed.map(guestAddress).filter((email) => !stay.has(email)));
  const guests = [...content.attendees.filter(({ email }) => !left.has(email)), ...invited];
  yield* writeGuests(component, { ...people, guests });
  return component;
}

/** Copies a series' component for one of its occurrences. */
export function copyOf(master: Component): Component {
  const copy = structuredClone(master);
  replaceLines(copy, ["RRULE", "RDATE", "EXRULE", "EXDATE", MARK], []);
  return copy;
}
