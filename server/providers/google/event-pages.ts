import { down } from "@/server/providers/ask-json";
import type { ApiRequest, GoogleApi } from "@/server/providers/google/api";
import { type Item, itemsOf } from "@/server/providers/google/item";
import { textOf } from "@/server/providers/json-values";

/** "The page size can never be larger than 2500 events" (events.list, maxResults). */
const A_PAGE = 2_500;
const MOST_PAGES = 1_000;

export interface EventListRequest extends Pick<ApiRequest, "kind" | "query"> {
  calendarId: string;
}

export interface EventPage {
  items: Item[];
  /** On the last page. */
  syncToken: string | null;
  /** The calendar's time zone. */
  tzid: string | null;
}

/** Lists events of a calendar page by page (events.list). */
export async function* eventPages(
  api: GoogleApi,
  { kind, calendarId, query }: EventListRequest,
): AsyncGenerator<EventPage> {
  let pageToken: string | null = null;
  const path = `/calendars/${encodeURIComponent(calendarId)}/events`;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { body } = await api({ kind, path, query: { maxResults: A_PAGE, ...query, pageToken } });
    yield { items: itemsOf(body.items), syncToken: textOf(body.nextSyncToken), tzid: textOf(body.timeZone) };
    pageToken = textOf(body.nextPageToken);
    if (pageToken === null) return;
  }
  throw down("too_many_pages");
}
