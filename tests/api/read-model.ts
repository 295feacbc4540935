import { Temporal } from "temporal-polyfill";
import type { ProviderEvent } from "../fakes/stored-events";

/** What a naive reader of the specification does with a handful of events in memory; shares no code with the service. */
export interface ModelEvent extends ProviderEvent {
  uid: string;
}

export interface ModelQuery {
  endpoint: "events" | "free_busy";
  tzid: string;
  from?: string;
  to?: string;
  calendar_ids?: string[];
  include_managed?: boolean;
  only_managed?: boolean;
  include_deleted?: boolean;
  last_modified?: string;
}

interface Placed {
  uid: string;
  /** Epoch microseconds. */
  start: bigint;
  end: bigint;
}

const BACK = { hours: 42 * 24 };
const AHEAD = { hours: 201 * 24 };

/** The uids of a whole read, in order; null where the query is refused. */
export function modelRead(events: readonly ModelEvent[], query: ModelQuery, now: number): string[] | null {
  const { tzid } = query;
  const present = Temporal.Instant.fromEpochMilliseconds(now);
  const asked = { from: query.from && micros(query.from, tzid), to: query.to && micros(query.to, tzid) };
  if (asked.from && asked.to && asked.to <= asked.from) return null;
  const from = latest(asked.from || undefined, epoch(present.subtract(BACK)));
  const to = -latest(asked.to ? -asked.to : undefined, -epoch(present.add(AHEAD)));
  return events
    .filter((event) => isAsked(event, query))
    .map((event): Placed => ({ uid: event.uid, start: micros(event.start, tzid), end: micros(event.end, tzid) }))
    .filter(({ start, end }) => start < to && (end > from || start >= from) && from < to)
    .sort((a, b) => (a.start === b.start ? (a.uid < b.uid ? -1 : 1) : a.start < b.start ? -1 : 1))
    .map(({ uid }) => uid);
}

function isAsked(event: ModelEvent, query: ModelQuery): boolean {
  const own = typeof event.eventId === "string";
  const state = event.state ?? "live";
  if (query.calendar_ids && !query.calendar_ids.includes(event.calendarId)) return false;
  if (query.endpoint === "free_busy") return state === "live" && (!own || query.include_managed === true);
  if (query.only_managed ? !own : own && !query.include_managed) return false;
  if (state === "deleted" && !query.include_deleted) return false;
  return !query.last_modified || utcMicros(event.updated ?? "") >= utcMicros(query.last_modified);
}

/** A date is its local midnight. */
function micros(text: string, timeZone: string): bigint {
  if (text.length > 10) return utcMicros(text);
  return epoch(Temporal.PlainDate.from(text).toZonedDateTime({ timeZone, plainTime: "00:00" }).toInstant());
}

function utcMicros(text: string): bigint {
  return epoch(Temporal.Instant.from(text));
}

function epoch(instant: Temporal.Instant): bigint {
  return instant.epochNanoseconds / 1000n;
}

function latest(a: bigint | undefined, b: bigint): bigint {
  return a === undefined || a < b ? b : a;
}

/** A stored start or end as a read writes it. */
export function modelText(text: string, { tzid, localized }: { tzid: string; localized: boolean }): string {
  if (text.length === 10) return text;
  const zoned = Temporal.Instant.from(text).toZonedDateTimeISO(localized ? tzid : "UTC");
  const offset = zoned.offset === "+00:00" ? "Z" : zoned.offset;
  return `${zoned.toPlainDateTime().toString({ smallestUnit: "second" })}${offset}`;
}
