import fc from "fast-check";
import type { EventState, RuleSeries } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { firstOf } from "@/server/domain/merge/to-ical-recurrence";
import { ruleDays } from "@/server/domain/recurrence/days";
import { occurrenceSpan } from "@/server/domain/recurrence/spans";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { toInstant } from "@/server/domain/time/zone";
import { type ReadAbout, readResource } from "@/server/providers/caldav/icalendar/read/read-resource";
import { type WriteResourceInput, writeResource } from "@/server/providers/caldav/icalendar/write/write-resource";
import { type Sample, sample, zones } from "@/tests/unit/recurrence/random-rules";
import { namedZone } from "@/tests/unit/time/named-zone";

export const owner = { email: "owner@acme.io", display_name: "Olive Owner" };
export const NOW = Date.parse("2026-11-21T12:00:00Z");
const MINUTE_MS = 60_000;

export function single(changes: Partial<EventState> = {}): EventState {
  const starts = Date.parse("2026-11-23T08:00:00Z") as Instant;
  return {
    summary: "Planning",
    description: "",
    location: null,
    url: null,
    span: { starts, ends: (starts + 60 * MINUTE_MS) as Instant, allDay: false },
    tzid: "Europe/Berlin",
    transparency: "opaque",
    private: false,
    status: "confirmed",
    participationStatus: "accepted",
    organizer: null,
    attendees: [],
    categories: [],
    conferencing: null,
    ruleSeries: null,
    icalRecurrence: null,
    ...changes,
  };
}

export function guest(email: string, more: Partial<Guest> = {}): Guest {
  return { email, display_name: null, status: "needs_action", ...more };
}

export function written(state: EventState, more: Partial<WriteResourceInput> = {}): string {
  return writeResource({
    existing: null,
    uid: "evt-1@almanac",
    state,
    owner,
    removedGuests: [],
    notify: true,
    now: NOW,
    ...more,
  });
}

export function read(ics: string, about: ReadAbout = { ownAddresses: [owner.email] }): EventState {
  const found = readResource(ics, about);
  if ("fault" in found) throw new Error(found.fault);
  return found.state;
}

/** The content lines of a text, unfolded. */
export function lines(ics: string): string[] {
  return ics.replace(/\r\n[ \t]/g, "").split("\r\n");
}

/** A calendar object of some VEVENTs, written by hand. */
export function calendar(...parts: string[]): string {
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...parts, "END:VCALENDAR", ""].join("\r\n");
}

export function vevent(...more: string[]): string {
  return ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z", ...more, "END:VEVENT"].join("\r\n");
}

// Line ends and control characters but \n have no place in a line.
const text = fc
  .string({ unit: "grapheme", maxLength: 120 })
  .map((any) => any.replace(/[\p{Cc}\p{Surrogate}]/gu, "") + (any.length % 7 === 0 ? "\nand; more, \\n" : ""));
const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((any) => {
  const plain = any.replace(/[\p{Cc}\p{Surrogate}\p{White_Space}\u00ad\ufeff]/gu, "");
  return plain === "" ? 'A "name"; of, some: ^ sort' : plain;
});
const email = fc.stringMatching(/^[a-z][a-z0-9.+_%'-]{0,12}@[a-z]{1,8}\.(?:io|example)$/);
const guestList = fc.uniqueArray(
  fc.record({
    email,
    display_name: fc.option(word),
    status: fc.constantFrom("needs_action" as const, "accepted" as const, "declined" as const, "tentative" as const),
  }),
  { maxLength: 4, selector: (one) => one.email },
);

const said = fc.record({
  summary: text,
  description: text,
  location: fc.option(text.filter((any) => any !== "")),
  url: fc.option(fc.webUrl({ withQueryParameters: true, withFragments: true })),
  transparency: fc.constantFrom("opaque" as const, "transparent" as const),
  private: fc.boolean(),
  status: fc.constantFrom("confirmed", "tentative"),
  attendees: guestList,
  categories: fc.uniqueArray(word, { maxLength: 3 }),
});

/** When: a day, a time of it and a length in minutes; all-day ones in days. */
const times = fc.record({
  allDay: fc.boolean(),
  tzid: fc.constantFrom(...zones),
  minute: fc.integer({ min: 0, max: 1439 }),
  length: fc.integer({ min: 0, max: 4000 }),
});

/** Any event that our own writes can make, without repetition. */
export const anySingle: fc.Arbitrary<EventState> = fc
  .record({ said, times, sample })
  .map(({ said: words, times: when, sample: { first } }) => stateOf(words, when, first));

/** Any series that our own writes can make, with skipped and changed days. */
export const anySeries: fc.Arbitrary<{ state: EventState; sample: Sample }> = fc
  .record({
    said,
    times,
    sample,
    exceptions: fc.array(fc.nat(5), { maxLength: 4 }),
    moved: fc.integer({ min: -3000, max: 3000 }),
  })
  .map(({ said: words, times: when, sample: found, exceptions, moved }) => {
    const state = stateOf(words, when, found.first);
    const days = ruleDays(found.rule, found.first, { from: found.first, to: (found.first + 4000) as Day });
    const chosen = [...new Set(exceptions)].flatMap((i) => days[i] ?? []).sort((a, b) => a - b);
    return { state: { ...state, ruleSeries: seriesOf(state, found, chosen, moved) }, sample: found };
  });

function stateOf(
  words: Partial<EventState>,
  when: { allDay: boolean; tzid: string; minute: number; length: number },
  day: Day,
) {
  const attendees = words.attendees ?? [];
  const zone = namedZone(when.tzid);
  const midnight = utcMidnight(day);
  const starts = when.allDay ? midnight : toInstant(zone, (midnight + when.minute * MINUTE_MS) as number as LocalTime);
  const length = when.allDay ? (1 + (when.length % 5)) * 1440 : when.length;
  const ends = (starts + length * MINUTE_MS) as Instant;
  return single({
    ...words,
    span: { starts, ends, allDay: when.allDay },
    tzid: when.allDay ? null : when.tzid,
    organizer: attendees.length > 0 ? owner : null,
  });
}

function seriesOf(state: EventState, { rule }: Sample, chosen: Day[], moved: number): RuleSeries {
  const first = firstOf(state);
  const unit = state.span.allDay ? 1440 * MINUTE_MS : MINUTE_MS;
  const changed = chosen
    .filter((_, i) => i % 2 === 1)
    .map((day, i) => {
      const { starts, ends } = occurrenceSpan(first, day);
      const by = Math.trunc(moved / (state.span.allDay ? 1440 : 1)) * unit;
      const span =
        i % 2 === 0 && by !== 0 ? { starts: starts + by, ends: ends + by + unit, allDay: state.span.allDay } : null;
      return { day: formatDay(day), span, texts: { summary: `${state.summary} otherwise` } };
    });
  return { rules: [], rule, skipped: chosen.filter((_, i) => i % 2 === 0).map(formatDay), changed };
}
