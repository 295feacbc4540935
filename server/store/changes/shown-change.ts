import type { ChangedField, ChangeKind } from "@/server/domain/events/change-kind";
import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { ChangeRow } from "@/server/store/changes/changes.sql";

/** A change as responses and notifications write it. */
export interface ShownChange {
  id: string;
  kind: ChangeKind;
  calendar_id: string;
  event_uid: string;
  event_id?: string;
  series_identifier?: string;
  occurrence_date?: string;
  fields: ChangedField[];
  by: "application" | "others";
  at: string;
}

/** Writes a change of a calendar. It says which fields changed, and nothing that is in them. */
export function shownChange(row: Omit<ChangeRow, "place">, calendarId: string): ShownChange {
  const { kind, fields, own, at, eventUid, eventId, eventRow, isSeries, occurrenceDate, number } = row;
  return {
    // What exists has no number yet: its event names it.
    id: number > 0 ? `chg_${number}` : `chg_${eventRow}`,
    kind,
    calendar_id: calendarId,
    event_uid: eventUid,
    ...(eventId !== null && { event_id: eventId }),
    ...(isSeries && { series_identifier: eventRow }),
    ...(occurrenceDate !== null && { occurrence_date: occurrenceDate }),
    fields,
    by: own ? "application" : "others",
    at: formatInstant(at as Instant),
  };
}
