import { randomUUID } from "node:crypto";
import { auth, calendar } from "@googleapis/calendar";
import { Client, type Context, type Middleware, type PageCollection } from "@microsoft/microsoft-graph-client";
import type { Event } from "@microsoft/microsoft-graph-types";
import ICAL from "ical.js";
import pg from "pg";
import { calendarMultiGet, fetchCalendarObjects, syncCollection } from "tsdav";
import type { TaskInput, TaskResult } from "@/tests/bench/sync-process";
import type { Asked } from "@/tests/rig/side-process";

/**
 * What there is to beat: the providers' own clients and pg with nothing else, and none of Almanac's code. Reads a calendar and stores a flat row for each
 * occurrence in the days that the service reads, from which a page could be served. No changes to tell others of, no totals, no series to write to.
 */
const PAGE = 50;
const PAGE_AT_GOOGLE = 2_500;
const PAGE_AT_MICROSOFT = 500;
const ROWS_AT_ONCE = 500;
const DAY_MS = 86_400_000;
const PAST_DAYS = 43;
const AHEAD_DAYS = 202;
const pool = new pg.Pool({ connectionString: process.env.FLAT_DATABASE_URL, max: 1, idleTimeoutMillis: 0 });

/** A row of the table that cost/bare-tables.ts creates. */
interface Flat {
  uid: string;
  calendar_id: string;
  event_id: string;
  summary: string;
  description: string;
  location: unknown;
  starts: string;
  ends: string;
  created: string;
  updated: string;
  status: string;
  transparency: string;
  private: boolean;
  participation_status: string;
  organizer: unknown;
  attendees: unknown;
}

const store = {
  name: "store",
  text: `INSERT INTO flat_events SELECT * FROM json_populate_recordset(NULL::flat_events, $1)
ON CONFLICT (calendar_id, event_id) DO UPDATE SET summary = excluded.summary, starts = excluded.starts, ends = excluded.ends, updated = excluded.updated`,
};

const tasks: Record<string, (asked: TaskInput) => Promise<Came>> = {
  /** The list and pages of as many resources as the service asks for, which is what iCloud takes, by tsdav; parsed and expanded by ical.js. */
  caldav: async ({ calendar: url, authorization }) => {
    const headers = { authorization };
    const calendarId = randomUUID();
    const listed = await listedBy(url, headers);
    let events = 0;
    for (let at = 0; at < listed.length; at += PAGE) {
      const objectUrls = listed.slice(at, at + PAGE);
      const objects = await fetchCalendarObjects({ calendar: { url }, objectUrls, headers });
      await stored(objects.flatMap(({ data }) => rowsOf(calendarId, String(data))));
      events += objects.length;
    }
    return { events };
  },
  /** Every occurrence of those days, by Google's own client. */
  google: async ({ calendar: calendarId, authorization: access_token }) => {
    const client = new auth.OAuth2();
    client.setCredentials({ access_token });
    const api = calendar({ version: "v3", auth: client, rootUrl: `${process.env.GOOGLE_BASE_URL}/` });
    const days = { timeMin: day(-PAST_DAYS), timeMax: day(AHEAD_DAYS), singleEvents: true };
    const ids = new Set<string>();
    const ours = randomUUID();
    let pageToken: string | undefined;
    do {
      const { data } = await api.events.list({ calendarId, maxResults: PAGE_AT_GOOGLE, pageToken, ...days });
      const items = data.items ?? [];
      for (const { id, recurringEventId } of items) ids.add(recurringEventId ?? id ?? "");
      const row = (item: (typeof items)[number]): Flat => ({
        ...{ uid: item.id ?? "", calendar_id: ours, event_id: item.id ?? "", summary: item.summary ?? "" },
        ...{ description: item.description ?? "", location: { description: item.location } },
        ...{ starts: item.start?.dateTime ?? "", ends: item.end?.dateTime ?? "" },
        ...{ created: item.created ?? "", updated: item.updated ?? "", status: item.status ?? "confirmed" },
        ...{ transparency: item.transparency ?? "opaque", private: item.visibility === "private" },
        ...{ participation_status: "accepted", organizer: item.organizer, attendees: item.attendees },
      });
      await stored(items.map(row));
      pageToken = data.nextPageToken ?? undefined;
    } while (pageToken);
    return { events: ids.size };
  },
  /** Every row of change tracking of those days, by Microsoft's own client. An occurrence has its texts from its series. */
  microsoft: async ({ calendar: calendarId, authorization }) => {
    const client = Client.initWithMiddleware({
      baseUrl: `${process.env.MICROSOFT_BASE_URL}/`,
      middleware: plainly(authorization),
    });
    const query = new URLSearchParams({ startDateTime: day(-PAST_DAYS), endDateTime: day(AHEAD_DAYS) });
    const prefer = `odata.maxpagesize=${PAGE_AT_MICROSOFT}, outlook.body-content-type="text"`;
    const read: Event[] = [];
    let link: string | undefined = `/me/calendars/${calendarId}/calendarView/delta?${query}`;
    while (link !== undefined) {
      const page: PageCollection = await client.api(link).header("Prefer", prefer).get();
      for (const event of page.value) read.push(event);
      link = page["@odata.nextLink"]?.replace(/^.*\/v1\.0/, "");
    }
    const series = new Map(read.flatMap((event) => (event.type === "seriesMaster" ? [[event.id, event]] : [])));
    const ours = randomUUID();
    const row = (event: Event): Flat => {
      const text = event.type === "occurrence" ? (series.get(event.seriesMasterId ?? "") ?? event) : event;
      return {
        ...{ uid: event.id ?? "", calendar_id: ours, event_id: event.id ?? "", summary: text.subject ?? "" },
        ...{ description: text.body?.content ?? "", location: { description: text.location?.displayName } },
        ...{ starts: `${event.start?.dateTime}Z`, ends: `${event.end?.dateTime}Z` },
        ...{ created: text.createdDateTime ?? day(0), updated: text.lastModifiedDateTime ?? day(0) },
        ...{ status: "confirmed", transparency: text.showAs === "free" ? "transparent" : "opaque" },
        ...{ private: text.sensitivity === "private", participation_status: "accepted" },
        ...{ organizer: text.organizer?.emailAddress, attendees: text.attendees },
      };
    };
    await stored(read.filter(({ type }) => type !== "seriesMaster").map(row));
    return { events: read.filter(({ type }) => type !== "occurrence").length };
  },
  /** What changed at a CalDAV server since the token, and the text of it. */
  changes: async ({ calendar: url, authorization, token }) => {
    const headers = { authorization };
    const props = { "d:getetag": {} };
    const answers = await syncCollection({ url, props, syncLevel: 1, syncToken: token, headers });
    const next = String(answers[0]?.raw?.multistatus?.syncToken ?? "");
    const objectUrls = answers.flatMap(({ href }) => (href?.endsWith(".ics") ? href : []));
    if (token === undefined || objectUrls.length === 0) return { events: objectUrls.length, token: next };
    const data = { ...props, "c:calendar-data": {} };
    const read = await calendarMultiGet({ url, props: data, objectUrls, depth: "1", headers });
    await stored(read.flatMap(({ props }) => rowsOf(url, String(props?.calendarData ?? ""))));
    return { events: read.length, token: next };
  },
};

type Came = Pick<TaskResult, "events" | "token">;

/** A process that does one task each time it is asked, and answers with what it took. */
await pool.query("SELECT 1");
process.on("message", async ({ task, given }: Asked<TaskInput>) => {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const came = await tasks[task]?.(given);
  const { user, system } = process.cpuUsage(before);
  process.send?.({ ms: performance.now() - began, cpuMs: (user + system) / 1_000, ...came });
});
process.on("disconnect", () => process.exit());

async function stored(rows: readonly Flat[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await pool.query({ ...store, values: [JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE))] });
}

function day(offset: number): string {
  return new Date(Date.now() + offset * DAY_MS).toISOString();
}

/** The occurrences of a resource in those days. */
function rowsOf(calendarId: string, text: string): Flat[] {
  const component = new ICAL.Component(ICAL.parse(text));
  // The rules of a zone are the same in all of them, and ical.js would work them out for each.
  for (const zone of component.getAllSubcomponents("vtimezone")) {
    const tzid = String(zone.getFirstPropertyValue("tzid"));
    if (!ICAL.TimezoneService.has(tzid))
      ICAL.TimezoneService.register(new ICAL.Timezone({ component: zone, tzid }), tzid);
  }
  component.removeAllSubcomponents("vtimezone");
  const written = component.getFirstSubcomponent("vevent");
  if (!written) return [];
  const event = new ICAL.Event(written);
  const { uid, summary, description, location, organizer } = event;
  const attendees = event.attendees.map((one) => ({ email: one.getFirstValue() }));
  const [from, to] = [Date.now() - PAST_DAYS * DAY_MS, Date.now() + AHEAD_DAYS * DAY_MS];
  const row = (start: ICAL.Time): Flat => {
    const end = start.clone();
    end.addDuration(event.duration);
    return {
      ...{ uid: `${uid} ${start}`, calendar_id: calendarId, event_id: `${uid} ${start}` },
      ...{ summary, description, location: { description: location } },
      ...{ starts: start.toJSDate().toISOString(), ends: end.toJSDate().toISOString() },
      ...{ created: day(0), updated: day(0), status: "confirmed", transparency: "opaque", private: false },
      ...{ participation_status: "accepted", organizer: { email: organizer }, attendees },
    };
  };
  if (!event.isRecurring()) return [row(event.startDate)];
  const rows: Flat[] = [];
  const starts = event.iterator();
  for (let start = starts.next(); start && start.toJSDate().getTime() < to; start = starts.next())
    if (start.toJSDate().getTime() >= from) rows.push(row(start));
  return rows;
}

/** The client gives its token to https alone. */
function plainly(token: string): Middleware {
  return {
    async execute(context: Context) {
      const headers = new Headers(context.options?.headers as HeadersInit);
      headers.set("authorization", `Bearer ${token}`);
      context.response = await fetch(context.request, { ...context.options, headers });
    },
  };
}

async function listedBy(url: string, headers: Record<string, string>): Promise<string[]> {
  const answers = await syncCollection({ url, props: { "d:getetag": {} }, syncLevel: 1, headers });
  return answers.flatMap(({ href }) => (href?.endsWith(".ics") ? href : []));
}
