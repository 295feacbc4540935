import { takesTime } from "@/server/domain/free-busy";
import { formatInstant } from "@/server/domain/time/instant";
import { down } from "@/server/providers/ask-json";
import type { BusyTimeInput, TakenSpan } from "@/server/providers/connector";
import type { GoogleApi } from "@/server/providers/google/api";
import { eventPages } from "@/server/providers/google/event-pages";
import { type Item, seriesOf } from "@/server/providers/google/item";
import { contentOf } from "@/server/providers/google/read-content";
import { timesOf } from "@/server/providers/google/read-times";

const person = "attendees(self,responseStatus)";
const event = `id,recurringEventId,status,transparency,eventType,start,end,organizer/self,${person}`;
/** What says which time an event takes, and nothing of what it is about. */
const fields = `timeZone,nextPageToken,items(${event})`;

/**
 * Lists single events and occurrences in a window ("singleEvents") and reads the time that they take. freeBusy.query
 * needs a scope that users have not consented to, and does not say whose time it is (ADR 106).
 */
export async function busyTime(
  api: GoogleApi,
  { calendarId, window, without }: BusyTimeInput,
): Promise<readonly TakenSpan[]> {
  const times = { timeMin: formatInstant(window.from), timeMax: formatInstant(window.to) };
  // "If there are more … attendees, only the participant is returned."
  const query = { singleEvents: true, ...times, maxAttendees: 1, fields };
  const spans: TakenSpan[] = [];
  for await (const { items, tzid } of eventPages(api, { kind: "list_events", calendarId, query })) {
    for (const item of items) {
      if (without.has(item.id) || without.has(seriesOf(item) ?? "") || !takesTime(contentOf(item))) continue;
      spans.push(spanOf(item, tzid));
    }
  }
  return spans;
}

function spanOf(item: Item, tzid: string | null): TakenSpan {
  const times = timesOf(item, tzid);
  if (!times) throw down("unreadable_event");
  return times.span;
}
