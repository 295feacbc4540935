import { clock } from "@/server/clock";
import { down } from "@/server/providers/ask-json";
import { type CalendarListing, ProviderError, type RemoteCalendar } from "@/server/providers/connector";
import { textOf } from "@/server/providers/json-values";
import type { GraphApi } from "@/server/providers/microsoft/api";
import { mailboxZone } from "@/server/providers/microsoft/event-lists";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";

const A_PAGE = 100;
/** More than anybody has. */
const MOST_PAGES = 100;
const fields = "id,name,canEdit,isDefaultCalendar,allowedOnlineMeetingProviders";
/** The meetings that we ask for. Outlook.com allows none, or Skype, which has ended. */
const TEAMS = "teamsForBusiness";
/** How long the time zone of a mailbox counts as known. */
const ZONE_MS = 86_400_000;

/**
 * Gives the calendars of the user, also those that others share with them: all of them each time, because Graph tracks no changes of the list.
 * They are in the mailbox's time zone, which Graph does not list them with: the sync token holds it, so that it is asked for once a day.
 */
export async function listCalendars(api: GraphApi, syncToken: string | null): Promise<CalendarListing> {
  const items: Item[] = [];
  let next: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const request =
      next === null ? { path: "/me/calendars", query: { $top: A_PAGE, $select: fields } } : { path: next };
    const { body } = await api({ kind: "list_calendars", ...request });
    if (!Array.isArray(body.value)) throw down("no_list");
    for (const item of itemsOf(body.value)) items.push(item);
    next = textOf(body["@odata.nextLink"]);
    if (next !== null) continue;
    const zone = await zoneOf(api, syncToken);
    const calendars = items.map((item) => calendarOf(item, zone.tzid));
    return { calendars, gone: null, syncToken: `${zone.readAt} ${zone.tzid ?? ""}` };
  }
  throw down("too_many_calendars");
}

interface ReadZone {
  readAt: number;
  tzid: string | null;
}

/** Reads the mailbox's zone. If Graph is down, the last zone that was read is kept until the next list. */
async function zoneOf(api: GraphApi, syncToken: string | null): Promise<ReadZone> {
  const [, readAt = "0", tzid = ""] = /^(\d+) (.*)$/.exec(syncToken ?? "") ?? [];
  const last = { readAt: Number(readAt), tzid: tzid || null };
  const now = clock().now();
  if (now - last.readAt < ZONE_MS) return last;
  try {
    return { readAt: now, tzid: await mailboxZone(api) };
  } catch (error) {
    if (error instanceof ProviderError && error.fault.kind === "down") return last;
    throw error;
  }
}

function calendarOf(calendar: Item, tzid: string | null): RemoteCalendar {
  const { id, canEdit, isDefaultCalendar, allowedOnlineMeetingProviders: meetings } = calendar;
  return {
    externalId: id,
    name: textOf(calendar.name) || id,
    readonly: canEdit !== true,
    primary: isDefaultCalendar === true,
    integratedConferencing: canEdit === true && Array.isArray(meetings) && meetings.includes(TEAMS),
    tzid,
    ctag: null,
  };
}
