import { clock } from "@/server/clock";
import { down } from "@/server/providers/ask-json";
import type { CalendarListing, RemoteCalendar } from "@/server/providers/connector";
import type { GoogleApi } from "@/server/providers/google/api";
import { type Item, itemsOf } from "@/server/providers/google/item";
import { objectOf, textOf } from "@/server/providers/json-values";

/** "The maximum is 250 entries" (calendarList.list, maxResults). */
const A_PAGE = 250;
/** More than anybody has. */
const MOST_PAGES = 100;
/** Who may write ("accessRole"). */
const writers: readonly unknown[] = ["owner", "writer", "writerWithoutPrivateAccess"];
/** A sync token is for a request with the same parameters ("syncToken"): hidden and deleted ones are asked for each time. */
const parameters = { maxResults: A_PAGE, showHidden: true, showDeleted: true };
/** Names and rights come with whole lists alone: "If only read-only fields … have changed, the entry won't be returned" ("syncToken"). */
const WHOLE_LIST_MS = 3_600_000;

/** Gives the calendars that the user has in their list, or what changed in it since the sync token. Throws `sync_token_expired` for one that Google refuses. */
export async function listCalendars(api: GoogleApi, syncToken: string | null): Promise<CalendarListing> {
  const since = lastListing(syncToken);
  const at = since?.at ?? clock().now();
  const entries: Item[] = [];
  let pageToken: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const query = { ...parameters, syncToken: since?.token, pageToken };
    const kind = since === null ? "list_calendars" : "list_calendar_changes";
    const { body } = await api({ kind, path: "/users/me/calendarList", query });
    for (const entry of itemsOf(body.items)) entries.push(entry);
    pageToken = textOf(body.nextPageToken);
    if (pageToken !== null) continue;
    const next = textOf(body.nextSyncToken);
    return listingOf(entries, { isWhole: since === null, next: next && `${at} ${next}` });
  }
  throw down("too_many_calendars");
}

/**
 * Lists the calendar of a room: it is in nobody's list. Its time zone comes with its events. What may be written there
 * Google says when it is.
 */
export function roomListing({ email: externalId, name }: { email: string; name: string }): CalendarListing {
  const calendar = { externalId, name, readonly: false, primary: true, integratedConferencing: false };
  return { calendars: [{ ...calendar, tzid: null, ctag: null }], gone: null, syncToken: null };
}

/**
 * Splits a sync token into Google's part of it and the time when everything was last listed. Returns null if everything
 * has to be listed.
 */
function lastListing(syncToken: string | null): { at: number; token: string } | null {
  const [, at, token] = /^(\d+) (.+)$/s.exec(syncToken ?? "") ?? [];
  if (at === undefined || token === undefined || clock().now() - Number(at) >= WHOLE_LIST_MS) return null;
  return { at: Number(at), token };
}

function listingOf(
  entries: readonly Item[],
  { isWhole, next }: { isWhole: boolean; next: string | null },
): CalendarListing {
  const isGone = (entry: Item) => entry.deleted === true;
  return {
    calendars: entries.filter((entry) => !isGone(entry)).map(calendarOf),
    gone: isWhole ? null : entries.filter(isGone).map(({ id }) => id),
    syncToken: next,
  };
}

function calendarOf(entry: Item): RemoteCalendar {
  const readonly = !writers.includes(entry.accessRole);
  const { allowedConferenceSolutionTypes: solutions } = objectOf(entry.conferenceProperties);
  return {
    externalId: entry.id,
    name: textOf(entry.summaryOverride) || textOf(entry.summary) || entry.id,
    readonly,
    primary: entry.primary === true,
    integratedConferencing: !readonly && Array.isArray(solutions) && solutions.includes("hangoutsMeet"),
    tzid: textOf(entry.timeZone),
    ctag: null,
  };
}
