import * as module from "rrule";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import type { Instant } from "@/server/domain/time/instant";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { dayInWords } from "@/server/domain/time/zoned-words";

// Node finds the names of a CommonJS package on its default import only. A bundler picks the package's other build,
// which has no default.
const { RRule } = ("default" in module ? module.default : module) as typeof module;

const LONGEST = 500;
/**
 * What rrule describes correctly. It ignores BYSETPOS, BYMINUTE and BYSECOND, says "the last" for BYMONTHDAY=-1, and
 * gives UNTIL as a day in UTC (ADR 10).
 */
const described: Readonly<Record<string, RegExp>> = {
  FREQ: /^(?:HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  COUNT: /^[1-9]\d{0,4}$/,
  BYDAY: /^(?:(?:[1-4]|-1)?(?:MO|TU|WE|TH|FR|SA|SU)(?:,(?!$)|$))+$/,
  BYMONTH: /^(?:(?:[1-9]|1[0-2])(?:,(?!$)|$))+$/,
  BYMONTHDAY: /^(?:(?:[1-9]|[12]\d|3[01])(?:,(?!$)|$))+$/,
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
};

/**
 * Describes an RRULE's value in words: `every week on Tuesday until 3 March 2027`. An UNTIL is the day that it falls on
 * in `tzid` (an IANA name; null is UTC). Returns null for a rule that rrule does not describe, and never a part of the
 * text itself.
 */
export function ruleInWords(rrule: string, tzid: string | null): string | null {
  if (rrule.length > LONGEST) return null;
  const parts = new Map(rrule.split(";").map((part) => part.split("=") as [string, string | undefined]));
  const until = parts.get("UNTIL");
  parts.delete("UNTIL");
  const isDescribed = [...parts].every(([name, value]) => value !== undefined && described[name]?.test(value));
  if (!isDescribed || !parts.has("FREQ") || (parts.has("BYDAY") && parts.has("BYMONTHDAY"))) return null;
  const end = until === undefined ? "" : endInWords(until, tzid);
  return end === null ? null : `${RRule.fromString([...parts].map((part) => part.join("=")).join(";")).toText()}${end}`;
}

function endInWords(until: string, tzid: string | null): string | null {
  const value = readDateValue(until);
  if (value === null) return null;
  if (value.kind === "utc") return ` until ${dayInWords(value.at, tzid)}`;
  const at = value.kind === "date" ? utcMidnight(value.day) : (value.local as number as Instant);
  return ` until ${dayInWords(at, null)}`;
}
