import { createHash } from "node:crypto";
import type { EventState } from "@/server/domain/events/event-state";
import { guestAddress } from "@/server/domain/events/guests";
import type { Pieces } from "@/server/domain/pieces";
import { type EventComponents, eventsFound, stateRead } from "@/server/providers/caldav/icalendar/read/read-resource";
import {
  type CalendarBounds,
  type Component,
  calendarRead,
  componentsOf,
} from "@/server/providers/caldav/icalendar/text/calendar-object";
import { propertyOf } from "@/server/providers/caldav/icalendar/text/content-line";
import { clocksOf } from "@/server/providers/caldav/icalendar/zones/clocks";

/** An event of a whole calendar in one file. */
export interface FeedEvent {
  /** Unique in the calendar and unchanging: of its UID, or of all it says if it has none. */
  name: string;
  /** Changes whenever anything that is read changes, and not with DTSTAMP, which many feeds write anew each time. */
  version: string;
  /** Null: it has no readable start. */
  state: EventState | null;
}

export interface ReadFeed {
  events: FeedEvent[];
  /** Whether the file has its end: otherwise it may have been cut off. */
  isWhole: boolean;
}

/** `reason`: it is no calendar, or has more in it than `mostEvents`. */
export type FeedFault = { reason: "not_a_calendar" | "feed_too_large" };

interface FeedInput {
  mostEvents: number;
  /** The calendar owner's addresses. */
  ownAddresses?: readonly string[];
}

/** Beyond these not even the shortest lines and components fit into a feed. */
const BOUNDS: CalendarBounds = { components: 200_000, lines: 1_000_000 };
const EDGES = /^\uFEFF?(BEGIN|END)[ \t]*:[ \t]*VCALENDAR[ \t]*$/gim;

/**
 * Reads a calendar that is published as one file, in pieces, as leniently as a resource of CalDAV (ADR 92): of several
 * masters of a UID the one with the highest SEQUENCE, of equal ones the last, with all overrides.
 */
export function* feedRead(text: string, { mostEvents, ownAddresses = [] }: FeedInput): Pieces<ReadFeed | FeedFault> {
  const calendar = yield* calendarRead(text, BOUNDS);
  const edges = [...text.matchAll(EDGES)].map(([, edge]) => edge?.toUpperCase());
  if (!calendar) return { reason: edges.length > 0 ? "feed_too_large" : "not_a_calendar" };
  yield;
  const found = yield* eventsFound(calendar);
  if (found.length > mostEvents) return { reason: "feed_too_large" };
  const about = { clocks: clocksOf(calendar, null), ownAddresses: ownAddresses.map(guestAddress) };
  const zones = digest(zoneLines(calendar));
  const names = new Set<string>();
  const events: FeedEvent[] = [];
  for (const one of found) {
    yield;
    const version = digest([zones, ...one.all.flatMap(readLines)]);
    const name = unusedName(one, version, names);
    names.add(name);
    events.push({ name, version, state: yield* stateRead(one, about) });
  }
  return { events, isWhole: edges.at(-1) !== "BEGIN" };
}

function unusedName({ uid, all }: EventComponents, version: string, used: ReadonlySet<string>): string {
  const own = uid === "" ? digest(["", ...all.flatMap(readLines)]) : digest([uid]);
  if (!used.has(own)) return own;
  for (let i = 2; ; i += 1) {
    const further = digest([own, version, String(i)]);
    if (!used.has(further)) return further;
  }
}

/** Lists the lines of a component but for its stamp. */
function readLines({ lines }: Component): string[] {
  return ["", ...lines.filter((line) => !/^DTSTAMP\b/i.test(line))];
}

/** Lists what the times of all events depend on. */
function zoneLines(calendar: Component): string[] {
  const ofZone = ({ lines, components }: Component): string[] => [...lines, ...components.flatMap(ofZone)];
  const own = propertyOf(calendar, "X-WR-TIMEZONE")?.value ?? "";
  return [own, ...componentsOf(calendar, "VTIMEZONE").flatMap(ofZone)];
}

function digest(lines: readonly string[]): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line).update("\n");
  return hash.digest("hex").slice(0, 40);
}
