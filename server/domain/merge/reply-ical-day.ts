import type { EventState, OccurrenceChanges, StoredIcalRecurrence } from "@/server/domain/events/event-state";
import { daysOfSeries, mainOccurrence } from "@/server/domain/merge/series-days";
import { whole } from "@/server/domain/pieces";
import { SERIES_STEPS } from "@/server/domain/recurrence/rfc5545/budget";
import type { IcalOccurrence } from "@/server/domain/recurrence/rfc5545/ical-recurrence";
import type { Day } from "@/server/domain/time/day";
import type { Instant } from "@/server/domain/time/instant";
import type { LocalTime } from "@/server/domain/time/rfc3339";

export interface DayToReply {
  series: StoredIcalRecurrence;
  day: Day;
  /** When the occurrence starts, of several in a day. */
  starts: Instant;
  /** What the reply changes: `participation_status`, and `attendees` where the user is listed. */
  fields: Pick<OccurrenceChanges, "participation_status" | "attendees">;
}

export interface RepliedDay {
  icalRecurrence: NonNullable<EventState["icalRecurrence"]>;
  /** The original start of the occurrence on the series' clock. */
  recurrenceId: LocalTime;
}

/** Gives one occurrence of a provider's series a reply of its own. Null: the series has none on that day. */
export function replyToIcalDay({ series, day, starts, fields }: DayToReply): RepliedDay | null {
  const found = whole(daysOfSeries(series, [day], { steps: SERIES_STEPS })).get(day);
  if (!found) return null;
  const moved = found.overrides.find((one) => one.starts === starts && !one.cancelled);
  const usual = found.occurrences.find((one) => one.starts === starts) ?? mainOccurrence(series, found.occurrences);
  const occurrence: Pick<IcalOccurrence, "recurrenceId" | "starts" | "ends"> | null | undefined = moved ?? usual;
  if (!occurrence) return null;
  const { recurrenceId } = occurrence;
  const own = found.overrides.find((one) => one.recurrenceId === recurrenceId && !one.following);
  const { starts: from, ends } = own ?? occurrence;
  const override = { ...own, recurrenceId, starts: from, ends, fields: { ...own?.fields, ...fields } };
  const overrides = [...series.overrides.filter((one) => one !== own), override];
  return { icalRecurrence: { ...series, overrides }, recurrenceId };
}
