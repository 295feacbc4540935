import { down } from "@/server/providers/ask-json";
import type { GoogleApi } from "@/server/providers/google/api";
import { type Item, isCancelled, isSeries, itemsOf, seriesOf } from "@/server/providers/google/item";
import { textOf } from "@/server/providers/json-values";

/** An event, and the exceptions of its series. */
export interface SeriesItems {
  main: Item;
  exceptions: Item[];
}

const A_PAGE = 2_500;
const MOST_PAGES = 20;

/** Requests one event as Google has it now. Returns null if it was deleted or never existed. */
export async function itemOf(api: GoogleApi, calendarId: string, id: string): Promise<Item | null> {
  const { verdict, body } = await api({ kind: "read_event", path: eventPath(calendarId, id), accepts: ["gone"] });
  const [item] = verdict === null ? itemsOf([body]) : [];
  return item && !isCancelled(item) ? item : null;
}

interface SeriesToRead {
  calendarId: string;
  id: string;
  /** The event, if it was read already. */
  main: Item | null;
  /** Its iCalUID, if one of its exceptions was read already. */
  uid?: string | null;
}

/**
 * Gives an event with all exceptions of its series, which share its iCalUID ("For recurring events, all occurrences … share the same icalUIDs").
 * One that does not repeat has none: what Google has kept of them from before is cancelled. Null: it was deleted, or the user does not
 * have it.
 */
export async function itemsOfSeries(api: GoogleApi, read: SeriesToRead): Promise<SeriesItems | null> {
  const { calendarId, id, uid: known = null } = read;
  const main = read.main ?? (known === null ? await itemOf(api, calendarId, id) : null);
  if (main && !isSeries(main)) return { main, exceptions: [] };
  const uid = main ? textOf(main.iCalUID) : known;
  if (!uid) return main && { main, exceptions: [] };
  const items = await itemsOfUid(api, calendarId, uid);
  const newest = items.find((item) => item.id === id) ?? main;
  if (!newest || isCancelled(newest)) return null;
  return { main: newest, exceptions: isSeries(newest) ? items.filter((item) => seriesOf(item) === id) : [] };
}

async function itemsOfUid(api: GoogleApi, calendarId: string, iCalUID: string): Promise<Item[]> {
  const path = `/calendars/${encodeURIComponent(calendarId)}/events`;
  const items: Item[] = [];
  let pageToken: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const query = { iCalUID, singleEvents: false, showDeleted: true, maxResults: A_PAGE, pageToken };
    const { body } = await api({ kind: "read_event", path, query });
    for (const item of itemsOf(body.items)) items.push(item);
    pageToken = textOf(body.nextPageToken);
    if (pageToken === null) return items;
  }
  throw down("too_many_exceptions");
}

export function eventPath(calendarId: string, id: string): string {
  return `/calendars/${encodeURIComponent(calendarId)}/events/${encodeURIComponent(id)}`;
}
