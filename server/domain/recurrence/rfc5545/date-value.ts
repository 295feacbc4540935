import { type Day, parseDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";

/** A DATE or DATE-TIME of RFC 5545 §3.3.4 and §3.3.5: a date, a time on a clock named elsewhere, or an instant. */
export type DateValue = { kind: "date"; day: Day } | { kind: "local"; local: LocalTime } | { kind: "utc"; at: Instant };

const MAX_LENGTH = 64;
const written = /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ]([01]\d|2[0-3]):?([0-5]\d)(?::?([0-5]\d|60)(?:\.\d+)?)?(Z)?)?$/;

/**
 * Parses `19970902`, `19970902T090000` or `19970902T130000Z`, also with the dashes, colons and fractions of ISO 8601,
 * in lower case, or without seconds. A leap second is the 59th (§3.3.5).
 * @returns null for any other text and for dates that do not exist
 */
export function readDateValue(text: string): DateValue | null {
  if (text.length > MAX_LENGTH) return null;
  const parts = written.exec(text.trim().toUpperCase());
  if (!parts) return null;
  const [, year, month, dayOfMonth, hour, minute, second = "0", zulu] = parts;
  const day = parseDay(`${year}-${month}-${dayOfMonth}`);
  if (day === null) return null;
  if (hour === undefined) return { kind: "date", day };
  const ofDay = Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59);
  const time = utcMidnight(day) + ofDay * 1000;
  return zulu === undefined ? { kind: "local", local: time as LocalTime } : { kind: "utc", at: time as Instant };
}
