import type { DateTimeTimeZone } from "@microsoft/microsoft-graph-types";
import { Temporal } from "temporal-polyfill";
import { graphError, invalidProperty } from "./errors";
import type { Knobs, StoredTime } from "./state";
import { documentedPlace, windowsName } from "./zone-names";

/** The place of a zone that a client names; [K]: the code and the text of the refusal. */
export function placeOf(knobs: Knobs, name: string): string {
  const documented = documentedPlace(name);
  if (documented) return documented;
  if (knobs.zoneNames === "any place" && isPlace(name)) return name;
  throw graphError({
    status: 400,
    code: "TimeZoneNotSupportedException",
    message: `A valid TimeZone value must be specified. The following TimeZone value is not supported: '${name}'.`,
  });
}

function isPlace(name: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return name.includes("/");
  } catch {
    return false;
  }
}

/** The stored form of a time that a client sent. Type DateTimeTimeZone: {date}T{time} and a zone. */
export function storedTime(knobs: Knobs, given: unknown, side: string): StoredTime {
  const { dateTime, timeZone } = (given ?? {}) as DateTimeTimeZone;
  if (typeof dateTime !== "string") throw invalidProperty(`The value of the property '${side}' is missing or invalid.`);
  // Type Event: "By default, the start time is in UTC."
  const zone = placeOf(knobs, timeZone ?? "UTC");
  try {
    // [K]: an offset in the text counts, and the zone is only where it is shown.
    const local = /(Z|[+-]\d\d:\d\d)$/.test(dateTime)
      ? Temporal.Instant.from(dateTime).toZonedDateTimeISO(zone).toPlainDateTime()
      : Temporal.PlainDateTime.from(dateTime, { overflow: "reject" });
    // Originals show the Windows name even if a place was written (ADR 34).
    return { local: plain(local), zone, shown: windowsName(zone) };
  } catch {
    throw invalidProperty(`The dateTime of the property '${side}' can't be converted: '${dateTime}'.`);
  }
}

const plain = (local: Temporal.PlainDateTime) => local.toString({ smallestUnit: "second" });

/** Milliseconds of a wall clock in a place; RFC 5545 section 3.3.5 for hours that do not exist or exist twice. */
export function epochOf({ local, zone }: Pick<StoredTime, "local" | "zone">): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}

/** The wall clock of a place at an instant. */
export function localOf(epoch: number, zone: string): string {
  return plain(Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(zone).toPlainDateTime());
}

export const dateOf = (local: string) => local.slice(0, 10);
export const clockOf = (local: string) => local.slice(10);

/** The date so many days later. */
export function dayAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Whole days from one date to another. */
export function daysBetween(one: string, other: string): number {
  return Temporal.PlainDate.from(one).until(Temporal.PlainDate.from(other)).days;
}

/** A time as responses show it: seven decimals, in the zone that the client prefers, by default UTC. */
export function shownTime(
  time: StoredTime,
  isAllDay: boolean,
  prefers: { name: string; zone: string },
): DateTimeTimeZone {
  // microsoft-graph-docs#1802: "All day events always return midnight-to-midnight regardless of time zone."
  const local = isAllDay ? `${dateOf(time.local)}T00:00:00` : localOf(epochOf(time), prefers.zone);
  return { dateTime: `${local}.0000000`, timeZone: prefers.name };
}

/** A timestamp as responses show it: Exchange counts ten-millionths of a second. */
export const timestamp = (epoch: number) => new Date(epoch).toISOString().replace("Z", "0000Z");

/**
 * Milliseconds of the parameters startDateTime and endDateTime; NaN if they cannot be read.
 * Page "List calendarView": the offset in the value counts, UTC without one, and outlook.timezone never.
 */
export function instantOf(text: string): number {
  const value = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00` : text;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i.test(value)) return Number.NaN;
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/i.test(value) ? value : `${value.slice(0, 23)}Z`);
}
