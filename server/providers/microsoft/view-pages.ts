import { formatInstant, type Instant } from "@/server/domain/time/instant";
import type { Window } from "@/server/domain/window";
import { down } from "@/server/providers/ask-json";
import { textOf } from "@/server/providers/json-values";
import type { GraphApi, GraphRequest } from "@/server/providers/microsoft/api";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";
import { AS_TEXT } from "@/server/providers/microsoft/series-items";
import type { ViewToken } from "@/server/providers/microsoft/sync-token";

const A_PAGE = 'odata.maxpagesize="500"';
const MOST_PAGES = 2_000;
const DAY_MS = 86_400_000;

export interface ViewPage {
  items: Item[];
  /** On the last page: the query of the link that the next round begins with. */
  query: string | null;
}

/**
 * Lists everything in a window of time, page by page: events, and each occurrence of a series (calendarView/delta). One
 * more day is requested on either side, because dates of whole days begin and end in the mailbox's zone.
 */
export function viewOf(api: GraphApi, calendarId: string, { from, to }: Window): AsyncGenerator<ViewPage> {
  const times = {
    startDateTime: formatInstant((from - DAY_MS) as Instant),
    endDateTime: formatInstant((to + DAY_MS) as Instant),
  };
  return pagesOf(api, { kind: "list_events", path: deltaPath(calendarId), query: times });
}

/**
 * Lists what changed in the window since the token. Throws `sync_token_expired` when Graph refuses the token, which may
 * come after pages.
 */
export function changesOf(api: GraphApi, calendarId: string, { query }: ViewToken): AsyncGenerator<ViewPage> {
  return pagesOf(api, { kind: "list_event_changes", path: `${deltaPath(calendarId)}?${query}` });
}

async function* pagesOf(api: GraphApi, first: GraphRequest): AsyncGenerator<ViewPage> {
  let request = first;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { body } = await api({ ...request, prefer: [A_PAGE, AS_TEXT] });
    const next = textOf(body["@odata.nextLink"]);
    const end = textOf(body["@odata.deltaLink"]);
    yield { items: itemsOf(body.value), query: next === null && end !== null ? queryOf(end) : null };
    if (next === null) return;
    request = { kind: first.kind, path: next };
  }
  throw down("too_many_pages");
}

function deltaPath(calendarId: string): string {
  return `/me/calendars/${encodeURIComponent(calendarId)}/calendarView/delta`;
}

function queryOf(link: string): string {
  const at = link.indexOf("?");
  return at < 0 ? "" : link.slice(at + 1);
}
