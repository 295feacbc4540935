import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { ASSISTANT_EVENTS } from "@/server/domain/limits";
import { formatDay } from "@/server/domain/time/day";
import { addTool, bodyOf, dataOf, etagOf, type Session, said } from "@/server/http/mcp/tool";
import { laterText, today } from "@/server/http/mcp/when";

/** A text longer than this is cut in lists; get_event has all of it. */
const LONG_TEXT = 1_000;

const day = z.string().describe("A date, or a time with an offset, such as 2026-12-01T09:00:00+01:00.");
const calendarIds = z.array(z.string()).max(100).describe("Only these calendars. Default: all.").optional();
export const occurrence = {
  event_uid: z.string().describe("The `event_uid` of an event, or a `series_identifier`."),
  occurrence_date: z.string().optional().describe("Another day of the same series, as a date."),
};

/** Adds the tools that read: list_calendars, find_events, get_event, what_changed. */
export function addReading(server: McpServer, { api, tzid, now }: Session): void {
  addTool(server, {
    name: "list_calendars",
    title: "List calendars",
    description: "Lists the user's calendars with their ids, and which of them are writable.",
    input: {},
    run: async () => said(`The user's time zone is ${tzid}.`, dataOf((await api.calendars()).calendars)),
  });

  addTool(server, {
    name: "find_events",
    title: "Find events",
    description: `Lists events in a window of time, ${ASSISTANT_EVENTS} at most, in the order of their starts. For more, call it again with the cursor.`,
    input: {
      from: day.optional().describe("Where the window starts: a date, or a time with an offset. Default: today."),
      to: day.optional().describe("Where it ends (exclusive), in the format of `from`. Default: a week later."),
      tzid: z.string().default(tzid).describe("The IANA time zone of dates, and of the times in the result."),
      calendar_ids: calendarIds,
      cursor: z.string().optional().describe("From the previous result. All other arguments are then ignored."),
    },
    run: async ({ cursor, ...query }) => {
      const { pages, events } = await api.events.find(cursor === undefined ? firstPage(query, now) : { cursor });
      const next = pages.next_page && new URL(pages.next_page).searchParams.get("cursor");
      const end = next ? `There are more. cursor: ${next}` : "There are no more.";
      return said(`${events.length} events.`, dataOf(events.map(shortened)), end);
    },
  });

  addTool(server, {
    name: "get_event",
    title: "Get an event",
    description: "Returns one event with its full description, what may be done with it (`rights`), and its etag.",
    input: occurrence,
    run: async ({ event_uid, ...query }) => {
      const result = await api.events.get({ event_uid, query });
      return said(dataOf(bodyOf(result)), `etag: ${etagOf(result)}`);
    },
  });

  addTool(server, {
    name: "what_changed",
    title: "What changed",
    description: `Lists what has changed in the calendars since a cursor, with the current events, ${ASSISTANT_EVENTS} changes at most. Without a cursor it returns one that starts now.`,
    input: {
      cursor: z.string().optional().describe("From the previous result."),
      calendar_ids: calendarIds,
    },
    run: async (query) => {
      const { changes, cursor, has_more, reset } = await api.changes({
        ...(query.cursor !== undefined && { cursor: query.cursor }),
        ...(query.calendar_ids && { calendar_ids: query.calendar_ids }),
        ...{ limit: String(ASSISTANT_EVENTS), include: "event" },
      });
      const shown = changes.map((one) => ({ ...one, ...withShort(one.event as object | undefined) }));
      const end = has_more ? "There are more." : "There are no more for now.";
      const again = reset ? ["The cursor was too old: these are all existing events, and later changes."] : [];
      return said(...again, `${changes.length} changes.`, dataOf(shown), `${end} cursor: ${cursor}`);
    },
  });
}

const WINDOW_DAYS = 7;

interface Window {
  from?: string | undefined;
  to?: string | undefined;
  tzid: string;
  calendar_ids?: string[] | undefined;
}

/** Returns the query of a first page: own events too, in local times, and a week if the window is open. */
function firstPage({ from, to, calendar_ids, ...query }: Window, now: number) {
  const begins = from ?? formatDay(today(query.tzid, now));
  const ends = to ?? laterText(begins, WINDOW_DAYS);
  const window = { from: begins, ...(ends !== null && { to: ends }) };
  return {
    ...query,
    ...(calendar_ids && { calendar_ids }),
    ...window,
    include_managed: "true",
    localized_times: "true",
  };
}

/** Returns the member of a change with its event. */
function withShort(event: object | undefined): { event?: object } {
  return event ? { event: shortened(event) } : {};
}

function shortened(event: object): object {
  const cut = (_: string, value: unknown) =>
    typeof value === "string" && value.length > LONG_TEXT
      ? `${value.slice(0, LONG_TEXT)}… (get_event has all of it)`
      : value;
  return JSON.parse(JSON.stringify(event, cut)) as object;
}
