import { RRuleTemporal } from "rrule-temporal";
import { Temporal } from "temporal-polyfill";
import { invalid, required } from "./errors";
import type { EventResource, EventTime } from "./state";
import { epochOf, movedBy } from "./times";

/** An instance as the recurrence data gives it. */
export interface Occurrence {
  /** The end of the instance's id: YYYYMMDDTHHMMSSZ, or YYYYMMDD of an all-day event. */
  stamp: string;
  start: EventTime;
  end: EventTime;
}

/** [K]: how far Google expands a series that never ends is not documented. */
const MOST_INSTANCES = 730;
/** Of what has an end, so many are computed at most. */
const MOST_COMPUTED = 10_000;

const badRule = () => invalid("Invalid recurrence rule.");

/**
 * The instances of a recurring event that start before `to`; without it the first 730.
 * Computed by rrule-temporal, which leaves out local times that do not exist; what Google does there is not documented.
 */
export function occurrences(event: EventResource, to?: number, limit?: number): Occurrence[] {
  const { start, lines } = series(event);
  const most = limit ?? (to === undefined ? MOST_INSTANCES : MOST_COMPUTED);
  const isBefore = (epoch: number) => to === undefined || epoch < to;
  const starts = new Set([epochOf(start)]);
  const taken = (line: string) => epochs(line, start, (epoch, index) => isBefore(epoch) && index < most);
  for (const line of lines.filter((one) => /^(RRULE|RDATE)/.test(one))) for (const one of taken(line)) starts.add(one);
  for (const line of lines.filter((one) => /^(EXRULE|EXDATE)/.test(one)))
    for (const one of taken(line)) starts.delete(one);
  const ordered = [...starts].filter(isBefore).sort((one, other) => one - other);
  return ordered.slice(0, most).map((epoch) => occurrence(event, start, epoch));
}

/** The instance with this stamp, if the recurrence data gives it. */
export function occurrenceOf(event: EventResource, stamp: string): Occurrence | undefined {
  const to = stampEpoch(stamp) + 1;
  return occurrences(event, to).find((one) => one.stamp === stamp);
}

/**
 * Field `recurrence`: RRULE, EXRULE, RDATE and EXDATE lines; DTSTART and DTEND are not allowed. 400 otherwise.
 * Type EventDateTime, field `timeZone`: "For recurring events this field is required".
 */
export function checkRecurrence(
  event: EventResource,
  given: { start?: EventTime | null; end?: EventTime | null },
): void {
  const lines = event.recurrence ?? [];
  if (lines.length === 0) return;
  for (const side of ["start", "end"] as const) {
    const time = given[side];
    if (time?.dateTime && !time.timeZone) throw required(`Missing time zone definition for ${side} time.`);
  }
  const isAllDay = Boolean(event.start?.date);
  for (const line of lines) {
    if (!/^(RRULE|EXRULE|RDATE|EXDATE)[;:]/.test(line)) throw badRule();
    checkUntil(line, isAllDay);
  }
  try {
    occurrences(event, undefined, 2);
  } catch {
    throw badRule();
  }
}

/** RFC 5545 section 3.3.10: UNTIL has the value type of DTSTART, and with a zone it is in UTC. That Google is as strict is [K]. */
function checkUntil(line: string, isAllDay: boolean): void {
  const until = /[;:]UNTIL=([^;]*)/.exec(line)?.[1];
  if (until === undefined) return;
  if (/[;:]COUNT=/.test(line)) throw badRule();
  if (!(isAllDay ? /^\d{8}$/ : /^\d{8}T\d{6}Z$/).test(until)) throw badRule();
}

/** The instant of a stamp; midnight in UTC for a date. */
function stampEpoch(stamp: string): number {
  const [, year, month, day, hour = "00", minute = "00", second = "00"] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(stamp) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The end of the id of the instance that starts then by the recurrence data. */
export function stampOf({ date, dateTime }: EventTime): string {
  if (date) return date.replaceAll("-", "");
  return new Date(dateTime ?? "").toISOString().replaceAll(/[-:]|\.000/g, "");
}

function series(event: EventResource): { start: EventTime; lines: string[] } {
  if (!event.start) throw new Error("A stored event has a start.");
  return { start: event.start, lines: event.recurrence ?? [] };
}

function occurrence(event: EventResource, first: EventTime, epoch: number): Occurrence {
  const start = movedBy(first, epoch - epochOf(first));
  // RFC 5545 section 3.8.5.3: each instance has the duration of the first; [K] whether Google's is exact or local.
  const end = movedBy(event.end ?? first, epoch - epochOf(first));
  return { stamp: stampOf(start), start, end };
}

/** The instants of one line. Dates count as midnight in UTC. */
function epochs(line: string, start: EventTime, goesOn: (epoch: number, index: number) => boolean): number[] {
  const [head = "", value = ""] = split(line);
  if (/^(RDATE|EXDATE)/.test(head)) return value.split(",").map((text) => dateEpoch(text, head, start));
  const zone = start.date ? "UTC" : (start.timeZone ?? "UTC");
  const local = Temporal.Instant.fromEpochMilliseconds(epochOf(start)).toZonedDateTimeISO(zone).toPlainDateTime();
  const first = local.toString({ smallestUnit: "second" }).replaceAll(/[-:]/g, "");
  const rule = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${first}\nRRULE:${value}`,
    includeDtstart: head === "RRULE",
  });
  const all = rule.all((date, index) => goesOn(Date.parse(date.toString().replace(/\[.*/, "")), index));
  return all.map((date) => Date.parse(date.toString().replace(/\[.*/, "")));
}

function split(line: string): [string, string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
}

function dateEpoch(text: string, head: string, start: EventTime): number {
  const [, year, month, day, time, utc] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z?))?$/.exec(text) ?? [];
  if (!year || !month || !day) throw badRule();
  const clock = (time ?? "000000").replace(/(\d\d)(\d\d)(\d\d)/, "$1:$2:$3");
  const local = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${clock}`);
  const named = /;TZID=([^;:]+)/.exec(head)?.[1] ?? start.timeZone ?? "UTC";
  return local.toZonedDateTime(start.date || utc || !time ? "UTC" : named).epochMilliseconds;
}
