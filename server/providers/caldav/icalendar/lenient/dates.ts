import { type DateValue, readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { basic, dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import { dayFromCivil, formatDay } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { type Leniency, readLeniently } from "@/server/providers/caldav/icalendar/lenient/leniency";

const MAX_LENGTH = 100;
const MINUTE_MS = 60_000;

/** What is read beside RFC 5545 §3.3.4 and §3.3.5, and beside the ISO 8601 that `readDateValue` reads. */
export const dates: readonly Leniency[] = [
  {
    name: "quotes or brackets around it",
    why: "A quote that opens before a parameter and closes after the value.",
    example: ['20261202T100000Z"', "20261202T100000Z"],
    respell: (text) => text.replace(/^[\s"'<([]+/, "").replace(/[\s"'>)\],;]+$/, ""),
  },
  {
    name: "its form before it",
    why: "VALUE written behind the colon instead of before it.",
    example: ["VALUE=DATE-TIME:20261202T100000", "20261202T100000"],
    respell: (text) => text.replace(/^(?:VALUE=)?DATE(?:-TIME)?:/i, ""),
  },
  {
    name: "UTC by its name",
    why: "Java and C# print it so.",
    example: ["20261202T100000 UTC", "20261202T100000Z"],
    respell: (text) => text.replace(/\s*(?:UTC|GMT|Z)$/i, "Z"),
  },
  {
    name: "slashes, dots, or single digits in the date",
    why: "Written without a formatter.",
    example: ["2026/12/2 10:00", "20261202T100000"],
    respell: (text) =>
      text.replace(
        /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/,
        (_, year, month, day) => `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`,
      ),
  },
  {
    name: "a digit of the time too few or too many",
    why: "libical and ical.js read hours, minutes and seconds by their place. The missing digit is that of the hour where there is no such hour.",
    example: ["20261202T10300Z", "20261202T103000Z"],
    respell: (text) =>
      text.replace(/^([\d-]+)[T ]\s*(\d{5}|\d{7,})(?=$|[Z+-])/i, (_, day, time) => `${day}T${sixDigits(time)}`),
  },
  {
    name: "an hour of one digit",
    why: "Written without a formatter.",
    example: ["20261202T9:30", "20261202T093000"],
    respell: (text) => text.replace(/^([\d-]+)[T ]\s*(\d(?:\d{2}|:\d.*)?)(?=$|[Z+-])/i, "$1T0$2"),
  },
  {
    name: "a time without minutes",
    why: "ISO 8601 allows it.",
    example: ["20261202T10Z", "20261202T100000Z"],
    respell: (text) => text.replace(/^([\d-]+)[T ](\d{2})(?=$|[Z+-])/i, "$1T$200"),
  },
  {
    name: "midnight as hour 24",
    why: "ISO 8601 allows it for the end of a day: libical and ical.js read the next day's midnight.",
    example: ["20261202T240000", "20261203T000000"],
    respell: (text) =>
      text.replace(/^(\d{4})-?(\d\d)-?(\d\d)[T ]24:?00(?::?00)?(?!\d)/i, (_, year, month, day) => {
        return `${formatDay(dayFromCivil(Number(year), Number(month), Number(day) + 1))}T000000`;
      }),
  },
  {
    name: "an offset from UTC",
    why: "RFC 3339, as the programs that write it read it.",
    example: ["2026-12-02T10:00:00+01:00", "20261202T090000Z"],
    respell: withoutOffset,
  },
  {
    name: "text behind it",
    why: "Parameters, a comment, or a second T behind the value: libical and ical.js read no further than the date.",
    example: ["20261202T100000Z;X=1", "20261202T100000Z"],
    respell: (text) => text.replace(/^(\d{4}-?\d\d-?\d\d(?:[T ]\d\d:?\d\d(?::?\d\d)?Z?)?)(?:T$|[^\w:+.-].*$)/is, "$1"),
  },
  {
    name: "a day that the month does not have",
    why: "29 February of a year without one: libical, Java and JavaScript go on to the next month.",
    example: ["20260229T100000", "20260301T100000"],
    respell: (text) =>
      text.replace(/^(\d{4})-?(0[1-9]|1[0-2])-?(29|3[01])(?!\d)/, (_, year, month, day) =>
        formatDay(dayFromCivil(Number(year), Number(month), Number(day))),
      ),
  },
  {
    name: "a time that cannot be read",
    why: "The day is understood: it counts as a whole.",
    example: ["20261202T996199", "20261202"],
    respell: (text) => (readDateValue(text) ? text : text.replace(/^(\d{4}-?\d\d-?\d\d)\D.*$/s, "$1")),
  },
];

/** Reads a DATE or DATE-TIME in any spelling of the table. Null for any other text. */
export function readDate(text: string): DateValue | null {
  return text.length > MAX_LENGTH ? readDateValue(text) : readLeniently(text, dates, readDateValue);
}

/** Gives a date or time in the standard's spelling. */
export function standardDate(value: DateValue): string {
  if (value.kind === "date") return dateText(utcMidnight(value.day) as number as LocalTime);
  return value.kind === "utc" ? basic(value.at) : localText(value.local);
}

function sixDigits(time: string): string {
  const isByPlace = /^(?:[01]\d|2[0-3])[0-5]\d/.test(time);
  return time.length === 5 && !isByPlace ? `0${time}` : time.padEnd(6, "0").slice(0, 6);
}

function withoutOffset(text: string): string {
  const [, written = "", sign, hours, minutes = "0"] =
    /^(.*[T ]\d\d:?\d\d[\d:.]*)\s*(?:UTC|GMT)?\s*([+-])(\d{1,2}):?([0-5]\d)?$/i.exec(text) ?? [];
  const value = readDateValue(written);
  if (value?.kind !== "local" || Number(hours) > 24) return text;
  const east = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1);
  return basic((value.local - east * MINUTE_MS) as number as Instant);
}
