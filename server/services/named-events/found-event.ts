import type { Query } from "@/server/db/client";
import type { Day } from "@/server/domain/time/day";
import { invalid, Refusal } from "@/server/services/refusal";
import type { AccountContext } from "@/server/services/trpc";
import { type NamedEvent, type NamedOccurrence, readNamedEvent } from "@/server/store/events/named-event";

export interface FoundEvent {
  event: NamedEvent;
  occurrence: NamedOccurrence;
}

export interface EventToFind {
  uid: string;
  day: Day | null;
  /** The calendar that has to have it. Omitted or null: any of the account. */
  calendarId?: string | null;
}

/**
 * Reads the event that a request is about. Throws not_found, and 422 on occurrence_date: not_recurring for a single
 * event, not_an_occurrence for a day on which the series has none.
 */
export async function foundEvent(
  query: Query,
  { bearer }: Pick<AccountContext, "bearer">,
  { uid, day, calendarId = null }: EventToFind,
): Promise<FoundEvent> {
  const event = await readNamedEvent(query, { accountId: bearer.accountId, uid, day });
  if (!event || (calendarId !== null && event.record.calendarId !== calendarId))
    throw new Refusal({ kind: "not_found" });
  const { occurrence } = event;
  if (occurrence) return { event, occurrence };
  const { ruleSeries, icalRecurrence } = event.living.state;
  const isRecurring = ruleSeries !== null || icalRecurrence !== null;
  if (isRecurring) throw notAnOccurrence();
  const description = "occurrence_date is not supported: the event is not recurring";
  throw invalid({ path: ["occurrence_date"], key: "errors.not_recurring", description });
}

/** Creates the 422 for a day on which a series has no occurrence. */
export function notAnOccurrence() {
  const description = "occurrence_date is not an occurrence of the series";
  return invalid({ path: ["occurrence_date"], key: "errors.not_an_occurrence", description });
}
