import { type DateValue, readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";

export type Frequency = "SECONDLY" | "MINUTELY" | "HOURLY" | "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";

/** A value of BYDAY: 0 is Monday; `nth` is null for every one, negative from the end. */
export interface NthWeekday {
  weekday: number;
  nth: number | null;
}

/** A RECUR value (RFC 5545 §3.3.10). An omitted BY… part is empty; the others are sorted and without repetition. */
export interface Rrule {
  freq: Frequency;
  interval: number;
  count: number | null;
  until: DateValue | null;
  bySecond: readonly number[];
  byMinute: readonly number[];
  byHour: readonly number[];
  byDay: readonly NthWeekday[];
  byMonthDay: readonly number[];
  byYearDay: readonly number[];
  byWeekNo: readonly number[];
  byMonth: readonly number[];
  bySetPos: readonly number[];
  /** 0 is Monday. */
  weekStart: number;
}

/** Why a rule cannot be read: the name of the invalid part. */
export interface RruleProblem {
  problem: string;
}

const MAX_LENGTH = 4096;
const MAX_COUNT = 2_147_483_647; // RFC 5545 §3.3.8
const frequencies: readonly string[] = ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"];
const weekdays: readonly string[] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const partNames = new Set(
  (
    "FREQ INTERVAL COUNT UNTIL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST " +
    "RSCALE SKIP"
  ).split(" "),
);

/**
 * Reads the value of an RRULE or EXRULE, with or without the property's name before it.
 *
 * Because providers are sloppy, accepts any case, spaces, empty parts (as though not sent) and COUNT beside UNTIL (both
 * apply), and skips unknown parts. Rejects a part out of its range or sent twice, COUNT or INTERVAL of 0, and of RFC
 * 7529 all but what changes nothing (RSCALE=GREGORIAN, SKIP=OMIT): half a rule would be another rule.
 * @param text at most 4,096 characters: `FREQ=MONTHLY;BYDAY=-1FR;COUNT=10`
 */
export function readRrule(text: string): Rrule | RruleProblem {
  const parts = partsOf(text);
  if ("problem" in parts) return parts;
  const wrong: string[] = [];
  const read = <Value>(name: string, reader: (text: string) => Value | null, absent: Value): Value => {
    const value = parts.get(name);
    const found = value === undefined ? absent : reader(value);
    if (found === null && value !== undefined) wrong.push(name);
    return found ?? absent;
  };
  const list = (name: string, least: number, most: number) => read(name, (value) => numbers(value, least, most), []);
  const signed = (name: string, most: number) => read(name, (value) => signedNumbers(value, most), []);

  const freq = frequency(parts.get("FREQ"));
  if (!freq) return { problem: "FREQ" };
  const rule: Rrule = {
    freq,
    interval: read("INTERVAL", positive, 1),
    count: read<number | null>("COUNT", positive, null),
    until: read<DateValue | null>("UNTIL", readDateValue, null),
    bySecond: [...new Set(list("BYSECOND", 0, 60).map((second) => Math.min(second, 59)))],
    byMinute: list("BYMINUTE", 0, 59),
    byHour: list("BYHOUR", 0, 23),
    byDay: read("BYDAY", nthWeekdays, []),
    byMonthDay: signed("BYMONTHDAY", 31),
    byYearDay: signed("BYYEARDAY", 366),
    byWeekNo: signed("BYWEEKNO", 53),
    byMonth: list("BYMONTH", 1, 12),
    bySetPos: signed("BYSETPOS", 366),
    weekStart: read("WKST", weekdayOf, 0),
  };
  read("RSCALE", only("GREGORIAN"), "");
  read("SKIP", only("OMIT"), "");
  const [first] = wrong;
  return first === undefined ? rule : { problem: first };
}

function partsOf(text: string): Map<string, string> | RruleProblem {
  if (text.length > MAX_LENGTH) return { problem: "length" };
  const parts = new Map<string, string>();
  const value = text
    .toUpperCase()
    .replace(/\s+/g, "")
    .replace(/^(?:RRULE|EXRULE):/, "");
  for (const part of value.split(";")) {
    const [name = "", assigned = "", ...more] = part.split("=");
    if (!partNames.has(name) || assigned === "") continue;
    if (more.length > 0 || parts.has(name)) return { problem: name };
    parts.set(name, assigned);
  }
  return parts;
}

function frequency(text: string | undefined): Frequency | null {
  return text !== undefined && frequencies.includes(text) ? (text as Frequency) : null;
}

function positive(text: string): number | null {
  const number = /^\+?\d{1,10}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= MAX_COUNT ? number : null;
}

function numbers(text: string, least: number, most: number): number[] | null {
  const read = each(text, (item) => {
    const number = /^[+-]?\d{1,3}$/.test(item) ? Number(item) : Number.NaN;
    return number >= least && number <= most ? number : null;
  });
  return read && [...new Set(read)].sort((a, b) => a - b);
}

function signedNumbers(text: string, most: number): number[] | null {
  const read = numbers(text, -most, most);
  return read?.includes(0) ? null : read;
}

function nthWeekdays(text: string): NthWeekday[] | null {
  const read = each(text, (item) => {
    const [, sign, digits, name = ""] = /^([+-])?(\d{1,2})?([A-Z]{2})$/.exec(item) ?? [];
    const weekday = weekdayOf(name);
    if (weekday === null || (sign !== undefined && digits === undefined)) return null;
    if (digits === undefined) return { weekday, nth: null };
    const nth = Number(digits);
    return nth < 1 || nth > 53 ? null : { weekday, nth: sign === "-" ? -nth : nth };
  });
  return read && [...new Map(read.map((item) => [`${item.nth} ${item.weekday}`, item])).values()];
}

function weekdayOf(name: string): number | null {
  const weekday = weekdays.indexOf(name);
  return weekday < 0 ? null : weekday;
}

function only(value: string): (text: string) => string | null {
  return (text) => (text === value ? text : null);
}

/** Parses the items of a list, or returns null if one of them is invalid. Stray commas are ignored. */
function each<Item>(text: string, read: (item: string) => Item | null): Item[] | null {
  const items: Item[] = [];
  for (const item of text.split(",")) {
    const value = item === "" ? undefined : read(item);
    if (value === null) return null;
    if (value !== undefined) items.push(value);
  }
  return items;
}
