import { down } from "@/server/providers/ask-json";
import type { CalendarListing, RemoteCalendar } from "@/server/providers/connector";
import { textOf } from "@/server/providers/json-values";
import type { GraphApi } from "@/server/providers/microsoft/api";
import { type Item, itemsOf } from "@/server/providers/microsoft/item";

const A_PAGE = 100;
/** More than anybody has. */
const MOST_PAGES = 100;
const fields = "id,name,canEdit,isDefaultCalendar,allowedOnlineMeetingProviders";
/** The meetings that we ask for. Outlook.com allows none, or Skype, which has ended. */
const TEAMS = "teamsForBusiness";

/** The calendars of the user, also those that others share with them: all of them each time, because Graph tracks no changes of the list. */
export async function listCalendars(api: GraphApi): Promise<CalendarListing> {
  const calendars: RemoteCalendar[] = [];
  let next: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { body } = await api(
      next === null ? { path: "/me/calendars", query: { $top: A_PAGE, $select: fields } } : { path: next },
    );
    if (!Array.isArray(body.value)) throw down("no_list");
    calendars.push(...itemsOf(body.value).map(calendarOf));
    next = textOf(body["@odata.nextLink"]);
    if (next === null) return { calendars, gone: null, syncToken: null };
  }
  throw down("too_many_calendars");
}

function calendarOf(calendar: Item): RemoteCalendar {
  const { id, canEdit, isDefaultCalendar, allowedOnlineMeetingProviders: meetings } = calendar;
  return {
    externalId: id,
    name: textOf(calendar.name) || id,
    readonly: canEdit !== true,
    primary: isDefaultCalendar === true,
    integratedConferencing: canEdit === true && Array.isArray(meetings) && meetings.includes(TEAMS),
    tzid: null,
    ctag: null,
  };
}
