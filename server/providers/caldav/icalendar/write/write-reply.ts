import type { Pieces } from "@/server/domain/pieces";
import { readDateValue } from "@/server/domain/recurrence/rfc5545/date-value";
import { basic, dateText, localText } from "@/server/domain/recurrence/rfc5545/write-date-value";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { utcMidnight } from "@/server/domain/time/utc-day";
import { addressOf } from "@/server/providers/caldav/icalendar/read/read-people";
import { type EventComponents, eventsFound, masterRead } from "@/server/providers/caldav/icalendar/read/read-resource";
import {
  isDaily,
  type Master,
  readOverride,
  seriesRead,
  type ToRead,
} from "@/server/providers/caldav/icalendar/read/read-series";
import {
  type Component,
  calendarRead,
  calendarWritten,
} from "@/server/providers/caldav/icalendar/text/calendar-object";
import { isOf, line, readLine, replaceLines, withParam } from "@/server/providers/caldav/icalendar/text/content-line";
import { writeText } from "@/server/providers/caldav/icalendar/text/text-value";
import { copyOf } from "@/server/providers/caldav/icalendar/write/write-overrides";
import { clocksOf } from "@/server/providers/caldav/icalendar/zones/clocks";
import type { ReplyToWrite } from "@/server/providers/writing";

export interface ReplyInput extends ReplyToWrite {
  ics: string;
  /** Finds the event, if the resource has several. */
  pick(events: readonly EventComponents[]): EventComponents | undefined;
  /** The user's, in lower case. */
  ownAddresses: readonly string[];
}

const partstats = { accepted: "ACCEPTED", declined: "DECLINED", tentative: "TENTATIVE" } as const;

/**
 * Sets the user's PARTSTAT in a resource and changes nothing else, as an attendee may (RFC 6638 §3.2.2.1), in pieces.
 * The server sends the reply to the organizer. Null: the user is no guest of the event.
 */
export function* resourceReplied({ ics, pick, ownAddresses, ...reply }: ReplyInput): Pieces<string | null> {
  const calendar = yield* calendarRead(ics);
  const found = calendar && pick(yield* eventsFound(calendar));
  if (!calendar || !found?.main) return null;
  const about: ToRead = { clocks: clocksOf(calendar, null), ownAddresses };
  const master = yield* masterRead(found.main, about);
  const { recurrenceId } = reply;
  const known = recurrenceId === null ? found.main : yield* overrideAt(found, { master, recurrenceId, about });
  const component = known ?? (master && recurrenceId !== null ? occurrenceOf(master, recurrenceId) : null);
  if (!component || !setReply(component, ownAddresses, reply)) return null;
  if (!known) calendar.components.splice(calendar.components.indexOf(found.main) + 1, 0, component);
  return yield* calendarWritten(calendar);
}

interface ToFind {
  master: Master | null;
  recurrenceId: LocalTime;
  about: ToRead;
}

function* overrideAt(
  { overrides }: EventComponents,
  { master, recurrenceId, about }: ToFind,
): Pieces<Component | null> {
  const series = master && (yield* seriesRead(master, [], about));
  if (!master || !series) return null;
  const of = { ...master, namesDays: isDaily(series) };
  for (const component of overrides) {
    if (readOverride(component, of, about)?.recurrenceId === recurrenceId) return component;
    yield;
  }
  return null;
}

/** Returns whether the user is a guest. */
function setReply(component: Component, ownAddresses: readonly string[], { status, comment }: ReplyToWrite): boolean {
  let isGuest = false;
  component.lines = component.lines.map((text) => {
    const read = isOf(text, "ATTENDEE") ? readLine(text) : null;
    if (!read || !ownAddresses.includes(addressOf(read) ?? "")) return text;
    isGuest = true;
    return withParam(withParam(text, "PARTSTAT", partstats[status]), "RSVP", null);
  });
  if (isGuest && comment !== null) replaceLines(component, ["COMMENT"], [line("COMMENT", writeText(comment))]);
  return isGuest;
}

/** Builds the component of an occurrence that is as its series. */
function occurrenceOf({ component, times }: Master, recurrenceId: LocalTime): Component {
  const copy = copyOf(component);
  const shift = recurrenceId - times.start;
  const moved = copy.lines.map((text) => (isOf(text, "DTSTART") || isOf(text, "DTEND") ? shifted(text, shift) : text));
  const start = moved.find((text) => isOf(text, "DTSTART")) ?? "";
  return { ...copy, lines: [start.replace(/^DTSTART/i, "RECURRENCE-ID"), ...moved] };
}

function shifted(text: string, shift: number): string {
  const at = text.lastIndexOf(":") + 1;
  const value = readDateValue(text.slice(at).trim());
  if (!value) return text;
  const head = text.slice(0, at);
  if (value.kind === "date") return head + dateText((utcMidnight(value.day) + shift) as number as LocalTime);
  if (value.kind === "utc") return head + basic((value.at + shift) as Instant);
  return head + localText((value.local + shift) as LocalTime);
}
