import { type Day, formatDay, parseDay } from "@/server/domain/time/day";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import { type Moment, readMoment } from "@/server/domain/time/moment";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { localDay, UTC, type Zone, zone } from "@/server/domain/time/zone";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Returns a zone by its name; UTC for one that is unknown, which the procedure refuses. */
function zoneOr(tzid: string): Zone {
  return zone(tzid) ?? UTC;
}

/** Returns today in a zone. */
export function today(tzid: string, now: number): Day {
  return localDay(zoneOr(tzid), now as Instant);
}

/** Writes when an event is, with its weekdays and its zone. A text that is no time is written as it was sent. */
export function whenText({ start, end, tzid }: { start: string; end: string; tzid: string }): string {
  const [first, last] = [readMoment(start, zoneOr(tzid)), readMoment(end, zoneOr(tzid))];
  if (!first || !last) return `${start} – ${end}`;
  if (first.kind === "day" || last.kind === "day") return daysText(first, last, tzid);
  const [from, to] = [timeText(first.at, tzid), timeText(last.at, tzid)];
  return from.day === to.day
    ? `${from.day}, ${from.time}–${to.time} (${tzid})`
    : `${from.day}, ${from.time} – ${to.day}, ${to.time} (${tzid})`;
}

function daysText(first: Moment, last: Moment, tzid: string): string {
  const from = first.kind === "day" ? first.day : localDay(zoneOr(tzid), first.at);
  const to = last.kind === "day" ? ((last.day - 1) as Day) : localDay(zoneOr(tzid), last.at);
  return from >= to ? `${dayText(from)}, all day` : `${dayText(from)} – ${dayText(to)}, all day`;
}

const dayText = (day: Day) =>
  words("Etc/UTC", { weekday: "long", day: "numeric", month: "long", year: "numeric" })(utcMidnight(day));

function timeText(at: Instant, tzid: string): { day: string; time: string } {
  return {
    day: words(tzid, { weekday: "long", day: "numeric", month: "long", year: "numeric" })(at),
    time: words(tzid, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })(at),
  };
}

function words(tzid: string, options: Intl.DateTimeFormatOptions): (at: number) => string {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone(tzid) ? tzid : "Etc/UTC" });
  return (at) => format.format(at);
}

/** Says what is wrong with the times of an event, in our own words. Null: nothing is. */
export function faultOf({ start, end, tzid }: { start?: string; end?: string; tzid: string }): string | null {
  if (!zone(tzid)) return "tzid is not a time zone";
  const [first, last] = [start, end].map((text) => (text === undefined ? undefined : readMoment(text, zoneOr(tzid))));
  if (first === null) return "start is neither a date nor a time";
  if (last === null) return "end is neither a date nor a time";
  if (!first || !last) return null;
  if (first.kind !== last.kind) return "start and end must both be dates, or both times";
  return beginningOf(last) < beginningOf(first) ? "end is before start" : null;
}

const beginningOf = (moment: Moment) => (moment.kind === "day" ? utcMidnight(moment.day) : moment.at);

/** Returns the time that an event takes, if it has times: all-day ones have none. */
export function spanOf({ start, end, tzid }: { start: string; end: string; tzid: string }) {
  const [first, last] = [readMoment(start, zoneOr(tzid)), readMoment(end, zoneOr(tzid))];
  if (first?.kind !== "time" || last?.kind !== "time" || last.at <= first.at) return null;
  return { start: first.at, minutes: Math.ceil((last.at - first.at) / MINUTE_MS) };
}

/** Returns the text of the day that lies so many days after a date or a time, as one of the same kind. */
export function laterText(text: string, days: number): string | null {
  const day = parseDay(text);
  if (day !== null) return formatDay((day + days) as Day);
  const moment = readMoment(text, null);
  return moment?.kind === "time" ? formatInstant((moment.at + days * DAY_MS) as Instant) : null;
}
