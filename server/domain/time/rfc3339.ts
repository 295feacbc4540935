import { parseDay } from "@/server/domain/time/day";
import { EARLIEST, LATEST } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";

declare const brand: unique symbol;

/** The time on a wall clock, without its zone: milliseconds since 1970-01-01T00:00:00, as though it were UTC. */
export type LocalTime = number & { readonly [brand]: "local time" };

const MAX_LENGTH = 96;
const DAY_MS = 86_400_000;
// Beyond 2^53 microseconds (the years before 1685 and after 2255) a number carries multiples of this exactly.
const COARSE_MICROS = 64;
const written =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:([Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)(?:\[[A-Za-z][\w+/-]*\])?)?$/;

/**
 * Parses a time with an offset: RFC 3339 §5.6, and what common libraries write besides (ADR 84).
 * @param text at most 96 characters; `T`, `t` or a space between date and time, seconds and a fraction of any length or
 * neither, `Z`, `z`, ±hh:mm, ±hhmm or ±hh; then perhaps the name of a zone in brackets (RFC 9557), which adds nothing
 * to the instant
 * @returns microseconds since 1970 UTC, finer fractions cut off (to 64 µs outside the years 1685–2255; whole seconds
 * are always exact); null for any other text, dates that do not exist, 24:00, leap seconds, and instants outside the
 * years 1–9999 UTC
 */
export function parseTime(text: string): { micros: number } | null {
  const time = read(text);
  if (time?.offset === undefined) return null;
  const seconds = time.seconds - offsetSeconds(time.offset);
  if (seconds * 1000 < EARLIEST || seconds * 1000 > LATEST) return null;
  const fraction = Number(time.fraction.slice(0, 6).padEnd(6, "0"));
  const micros = seconds * 1_000_000 + fraction;
  if (Number.isSafeInteger(micros)) return { micros };
  return { micros: seconds * 1_000_000 + (fraction - (fraction % COARSE_MICROS)) };
}

/**
 * A time whose offset lost its plus sign: an unescaped one in a query string is a space. Only an offset can stand
 * there.
 */
const spaceForPlus = /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) (\d{2}(?::?\d{2})?)$/;

/** Restores the plus sign that the offset of a time in a query has lost. */
export function withPlusSign(text: string): string {
  return text.length > MAX_LENGTH ? text : text.replace(spaceForPlus, "$1+$2");
}

/**
 * Parses a time without offset, otherwise like `parseTime`, cut off to milliseconds.
 * @returns null also on 0001-01-01 and 9999-12-31, which are outside the years 1–9999 UTC in some time zone
 */
export function parseLocalTime(text: string): LocalTime | null {
  const time = read(text);
  if (!time || time.offset !== undefined) return null;
  const local = time.seconds * 1000 + Number(time.fraction.slice(0, 3).padEnd(3, "0"));
  return local < EARLIEST + DAY_MS || local > LATEST - DAY_MS ? null : (local as LocalTime);
}

interface Read {
  /** As though the text were UTC. */
  seconds: number;
  fraction: string;
  offset: string | undefined;
}

function read(text: string): Read | null {
  if (text.length > MAX_LENGTH) return null;
  const parts = written.exec(text);
  const day = parseDay(parts?.[1] ?? "");
  if (!parts || day === null) return null;
  const [, , hours, minutes, seconds = "0", fraction = "", offset] = parts;
  const ofDay = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { seconds: utcMidnight(day) / 1000 + ofDay, fraction, offset };
}

function offsetSeconds(offset: string): number {
  if (offset === "Z" || offset === "z") return 0;
  const seconds = Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(3).replace(":", "")) * 60;
  return offset.startsWith("-") ? -seconds : seconds;
}
