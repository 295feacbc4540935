import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import type { Guest } from "@/server/domain/events/guests";
import { guestsOtherwise } from "@/server/domain/merge/read-replies";
import { localDay } from "@/server/domain/merge/series-days";
import { firstOf } from "@/server/domain/merge/to-ical-recurrence";
import type { Pieces } from "@/server/domain/pieces";
import { isRuleDay } from "@/server/domain/recurrence/days";
import type { IcalOverride } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import { occurrenceSpan } from "@/server/domain/recurrence/spans";
import { type Day, formatDay } from "@/server/domain/time/day";
import type { LocalTime } from "@/server/domain/time/rfc3339";
import { readPeople } from "@/server/providers/caldav/icalendar/read/read-people";
import type { Component } from "@/server/providers/caldav/icalendar/text/calendar-object";

export interface KnownOverride {
  component: Component;
  override: IcalOverride<OccurrenceChanges>;
}

interface RepliesToKeep {
  /** The event as it is being written, and its series. */
  state: EventState;
  series: StoredIcalRecurrence;
  /** Its component. */
  master: Component;
  owner: string | null;
  /** The days whose overrides are written anyway. */
  written: ReadonlySet<Day>;
}

const DAY_MS = 86_400_000;

/**
 * Keeps the overrides that would not be written but in which somebody has replied to a day that the application's
 * series still has. Each is kept as the series is on that day, for the sake of the reply. Works in pieces.
 */
export function* keptReplies(before: readonly KnownOverride[], input: RepliesToKeep): Pieces<KnownOverride[]> {
  const { state, series, master, owner, written } = input;
  if (!state.ruleSeries) return [];
  const { rule, skipped } = state.ruleSeries;
  const [first, left] = [firstOf(state), new Set(skipped)];
  const own = owner === null ? [] : [owner];
  const usual = readPeople(master, own);
  const guests = new Map(usual.attendees.map((guest) => [guest.email, guest]));
  const kept: KnownOverride[] = [];
  for (const { component, override } of before) {
    yield;
    const day = localDay(override.recurrenceId);
    if (override.cancelled || override.following || written.has(day) || left.has(formatDay(day))) continue;
    if (!isRuleDay(rule, first.firstDay, day) || !isReplied(component, { guests, usual, own })) continue;
    const recurrenceId = (series.start + (day - first.firstDay) * DAY_MS) as LocalTime;
    kept.push({ component, override: { recurrenceId, ...occurrenceSpan(first, day), fields: guestsOf(override) } });
  }
  return kept;
}

/** Reports whether a guest who was not asked again has replied to that day. */
function isReplied(
  component: Component,
  {
    guests,
    usual,
    own,
  }: { guests: ReadonlyMap<string, Guest>; usual: ReturnType<typeof readPeople>; own: readonly string[] },
): boolean {
  const { attendees, participationStatus } = readPeople(component, own);
  const replies = guestsOtherwise({ attendees }, guests).map(({ status }) => status);
  if (participationStatus !== usual.participationStatus) replies.push(participationStatus);
  return replies.some((status) => status !== "needs_action" && status !== "unknown");
}

function guestsOf({ fields: { attendees } }: KnownOverride["override"]): OccurrenceChanges {
  return attendees ? { attendees } : {};
}
