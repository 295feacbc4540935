import { Temporal } from "temporal-polyfill";
import { invalid, required } from "./errors";
import type { EventTime } from "./state";

/** Whether a text names a time zone of the IANA database. */
export function isZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return !/^[+-]/.test(zone);
  } catch {
    return false;
  }
}

/**
 * The stored form of a start or end: a date alone, or an instant in UTC and a zone.
 * Type EventDateTime: "A time zone offset is required unless a time zone is explicitly specified in timeZone."
 */
export function normalized(time: EventTime | null | undefined, side: "start" | "end", zone: string): EventTime {
  if (!time || (!time.date && !time.dateTime)) throw required(`Missing ${side} time.`);
  if (time.timeZone && !isZone(time.timeZone)) throw invalid(`Invalid time zone definition for ${side} time.`);
  if (time.date && time.dateTime) throw invalid(`Invalid ${side} time.`);
  if (time.date) return { date: plainDate(time.date, side) };
  const text = time.dateTime ?? "";
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  if (!hasOffset && !time.timeZone) throw required(`Missing time zone definition for ${side} time.`);
  try {
    const instant = hasOffset
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text)
          .toZonedDateTime(time.timeZone ?? zone)
          .toInstant();
    return { dateTime: instant.toString({ smallestUnit: "second" }), timeZone: time.timeZone ?? zone };
  } catch {
    throw invalid(`Invalid value for: ${side}.dateTime`);
  }
}

function plainDate(text: string, side: string): string {
  try {
    if (/^\d{4}-\d\d-\d\d$/.test(text)) return Temporal.PlainDate.from(text, { overflow: "reject" }).toString();
  } catch {}
  throw invalid(`Invalid value for: ${side}.date`);
}

/** Milliseconds of a stored time; a date begins at midnight in the zone. */
export function epochOf({ date, dateTime }: EventTime, zone = "UTC"): number {
  if (dateTime) return Date.parse(dateTime);
  return Temporal.PlainDate.from(date ?? "").toZonedDateTime(zone).epochMilliseconds;
}

/** A stored time as responses show it: parameter `timeZone`, by default the calendar's. The event keeps the zone it is defined in. */
export function shown({ date, dateTime, timeZone }: EventTime, zone: string): EventTime {
  if (date) return { date };
  const local = Temporal.Instant.from(dateTime ?? "").toZonedDateTimeISO(zone);
  const text = local.toString({ timeZoneName: "never", smallestUnit: "second" });
  return { dateTime: text.replace(/\+00:00$/, "Z"), timeZone: timeZone ?? zone };
}

/** A stored time moved by milliseconds, or by whole days for a date. */
export function movedBy(time: EventTime, milliseconds: number): EventTime {
  if (time.date) {
    return {
      date: Temporal.PlainDate.from(time.date)
        .add({ days: Math.round(milliseconds / 86_400_000) })
        .toString(),
    };
  }
  return {
    ...time,
    dateTime: new Date(Date.parse(time.dateTime ?? "") + milliseconds).toISOString().replace(".000Z", "Z"),
  };
}
