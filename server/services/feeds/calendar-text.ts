import { createHmac } from "node:crypto";
import { FEED_REFRESH } from "@/server/domain/feeds";
import type { Pieces } from "@/server/domain/pieces";
import { basic, dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { toInstant, toLocal } from "@/server/domain/time/zone";
import { type Component, calendarWritten } from "@/server/providers/caldav/icalendar/text/calendar-object";
import { line } from "@/server/providers/caldav/icalendar/text/content-line";
import { writeRaw, writeText } from "@/server/providers/caldav/icalendar/text/text-value";
import { putZones } from "@/server/providers/caldav/icalendar/zones/put-zones";
import { type NamedZone, zoneNamed } from "@/server/providers/zone-names";
import type { FeedRow, StoredFeed } from "@/server/store/feeds/feeds.sql";

/** The title of what shows none. Nobody wrote it. */
const BUSY = "Busy";
const PRIVATE = "Private event";
const UID_LENGTH = 32;
const ROWS_A_PIECE = 100;

/** A feed that is being written. */
export interface FeedToWrite {
  feed: Pick<StoredFeed, "detail" | "uidKey" | "calendarName">;
  rows: readonly FeedRow[];
  from: Instant;
  now: Instant;
}

/**
 * Writes a feed as an iCalendar object (RFC 5545), in pieces: one event for each occurrence, like reads. Only `full`
 * feeds name time zones, which tell where somebody is; the others have their times in UTC.
 */
export function* feedText({ feed, rows, from, now }: FeedToWrite): Pieces<string> {
  const calendar: Component = { name: "VCALENDAR", lines: calendarLines(feed), components: [] };
  const zones = new Map<string, NamedZone | null>();
  for (const [i, row] of rows.entries()) {
    const named = row.tzid === null || row.allDay ? null : zoneOf(row.tzid, zones);
    calendar.components.push({ name: "VEVENT", lines: eventLines(feed, row, named), components: [] });
    if (i % ROWS_A_PIECE === ROWS_A_PIECE - 1) yield;
  }
  const earliest = rows.reduce<number>((least, { starts }) => Math.min(least, starts), from);
  yield* putZones(calendar, { from: earliest as Instant, now, renewed: null });
  yield;
  return yield* calendarWritten(calendar);
}

/** Programs that find no name show the address, which is a secret. */
function calendarLines({ detail, calendarName }: FeedToWrite["feed"]): string[] {
  const name = detail === "full" ? writeText(calendarName) : detail === "titles" ? "Calendar" : BUSY;
  return [
    ...["VERSION:2.0", "PRODID:-//Almanac//Almanac//EN", "CALSCALE:GREGORIAN", "METHOD:PUBLISH"],
    ...[`NAME:${name}`, `X-WR-CALNAME:${name}`],
    ...[`REFRESH-INTERVAL;VALUE=DURATION:${FEED_REFRESH}`, `X-PUBLISHED-TTL:${FEED_REFRESH}`],
  ];
}

function zoneOf(tzid: string, known: Map<string, NamedZone | null>): NamedZone | null {
  const found = known.get(tzid);
  if (found !== undefined) return found;
  const named = zoneNamed(tzid);
  known.set(tzid, named);
  return named;
}

function eventLines({ detail, uidKey }: FeedToWrite["feed"], row: FeedRow, named: NamedZone | null): string[] {
  const { freeBusy, isDeclined, isPrivate } = row;
  const updated = basic(row.updated);
  const title = isPrivate ? PRIVATE : detail === "busy" ? BUSY : writeText(row.summary ?? "");
  return [
    `UID:${uidOf(uidKey, row.uid)}`,
    `DTSTAMP:${updated}`,
    `LAST-MODIFIED:${updated}`,
    ...timeLines(row, named),
    `SUMMARY:${title}`,
    `STATUS:${freeBusy === "tentative" ? "TENTATIVE" : "CONFIRMED"}`,
    `TRANSP:${freeBusy === "free" || isDeclined ? "TRANSPARENT" : "OPAQUE"}`,
    ...(isPrivate ? ["CLASS:PRIVATE"] : []),
    ...textLines(row),
  ];
}

/** Derives the UID that a feed gives an occurrence: the same at each read, and no help to find the event or another feed's. */
function uidOf(key: Buffer, uid: string): string {
  return createHmac("sha256", key).update(uid).digest("hex").slice(0, UID_LENGTH);
}

function timeLines({ allDay, starts, ends }: FeedRow, named: NamedZone | null): string[] {
  const write = (name: string, at: Instant) =>
    allDay ? `${name};VALUE=DATE:${dateText(at as number as LocalTime)}` : timeLine(name, at, named);
  // An event without an end has no length (RFC 5545 §3.6.1). With one, it must be later.
  return [write("DTSTART", starts), ...(ends > starts ? [write("DTEND", ends)] : [])];
}

/** Writes a time on the clock of its zone if that names the same instant, else in UTC. */
function timeLine(name: string, at: Instant, named: NamedZone | null): string {
  const whole = (Math.floor(at / 1000) * 1000) as Instant;
  if (named) {
    const local = toLocal(named.zone, whole);
    if (toInstant(named.zone, local) === whole) return line(name, localText(local), { tzid: named.tzid });
  }
  return `${name}:${basic(whole)}`;
}

function textLines({ description, location, url, categories, conferencing }: FeedRow): string[] {
  const link = conferencing !== null && "join_url" in conferencing ? writeRaw(conferencing.join_url) : "";
  const page = writeRaw(url ?? "") || link;
  return [
    ...(description ? [`DESCRIPTION:${writeText(description)}`] : []),
    ...(location ? [`LOCATION:${writeText(location)}`] : []),
    ...(page ? [`URL:${page}`] : []),
    ...(link ? [`CONFERENCE;VALUE=URI:${link}`] : []),
    ...(categories && categories.length > 0 ? [`CATEGORIES:${categories.map(writeText).join(",")}`] : []),
  ];
}
