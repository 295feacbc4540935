import { takesTime } from "@/server/domain/free-busy";
import { formatInstant } from "@/server/domain/time/instant";
import { down } from "@/server/providers/ask-json";
import type { BusyTimeInput, TakenSpan } from "@/server/providers/connector";
import { textOf } from "@/server/providers/json-values";
import type { GraphApi, GraphRequest } from "@/server/providers/microsoft/api";
import { type Item, itemsOf, seriesOf } from "@/server/providers/microsoft/item";
import { contentOf } from "@/server/providers/microsoft/read-content";
import { timesOf } from "@/server/providers/microsoft/read-times";

const A_PAGE = 1_000;
const MOST_PAGES = 100;
/** What says which time an event takes, and nothing of what it is about. */
const fields = "id,type,seriesMasterId,isCancelled,showAs,responseStatus,isAllDay,start,end,originalStartTimeZone";

/**
 * Lists the occurrences, exceptions and single events of a calendar in a window (calendarView) and reads the time that
 * they take. getSchedule asks for a mailbox's default calendar alone, and not for personal accounts (ADR 106).
 */
export async function busyTime(
  api: GraphApi,
  { calendarId, window, without }: BusyTimeInput,
): Promise<readonly TakenSpan[]> {
  const spans: TakenSpan[] = [];
  const times = { startDateTime: formatInstant(window.from), endDateTime: formatInstant(window.to) };
  const path = `/me/calendars/${encodeURIComponent(calendarId)}/calendarView`;
  let request: GraphRequest = { kind: "list_events", path, query: { ...times, $select: fields, $top: A_PAGE } };
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { body } = await api(request);
    if (!Array.isArray(body.value)) throw down("no_list");
    for (const item of itemsOf(body.value)) {
      if (without.has(item.id) || without.has(seriesOf(item) ?? "") || !takesTime(contentOf(item))) continue;
      spans.push(spanOf(item));
    }
    const next = textOf(body["@odata.nextLink"]);
    if (next === null) return spans;
    request = { kind: "list_events", path: next };
  }
  throw down("too_many_pages");
}

function spanOf(item: Item): TakenSpan {
  const times = timesOf(item, null);
  if (!times) throw down("unreadable_event");
  return times.span;
}
