import { auth, calendar } from "@googleapis/calendar";
import { Client, type Context, type Middleware, type PageCollection } from "@microsoft/microsoft-graph-client";
import ICAL from "ical.js";
import { calendarMultiGet, fetchCalendarObjects, syncCollection } from "tsdav";
import { db } from "@/server/db/client";
import { syncing } from "@/server/jobs/provider-work";

const PATIENCE_MS = 300_000;
const PAGE = 50;
const PAGE_AT_GOOGLE = 2_500;
const PAGE_AT_MICROSOFT = 500;

/** A calendar at its server, and with what it is asked for. */
export interface TaskInput {
  /** Its address; at Google and Microsoft its id. */
  calendar: string;
  /** The header; for Google and Microsoft the access token. */
  authorization: string;
  /** Of the incremental task: what the last answer gave. */
  token?: string;
}

/** What a task took in milliseconds, and what it came to. */
export interface TaskResult {
  ms: number;
  /** CPU of the process. */
  cpuMs: number;
  /** Events that were read; of tsdav's alone. */
  events?: number;
  token?: string;
}

const tasks: Record<string, (asked: TaskInput) => Promise<TaskResult>> = {
  /** Every profile that is due, as the service does it. */
  ours: () => timing(async () => void (await syncing().drain(PATIENCE_MS))),
  /** The list and pages of as many resources as the service asks for, which is what iCloud takes, and each parsed. */
  pages: ({ calendar: url, authorization }) =>
    timing(async () => {
      const headers = { authorization };
      const listed = await listedBy(url, headers);
      let events = 0;
      for (let at = 0; at < listed.length; at += PAGE) {
        const objectUrls = listed.slice(at, at + PAGE);
        events += parsed(await fetchCalendarObjects({ calendar: { url }, objectUrls, headers }));
      }
      return { events };
    }),
  /** tsdav's own way: a query for the list, and one request for all. */
  whole: ({ calendar: url, authorization }) =>
    timing(async () => ({
      events: parsed(await fetchCalendarObjects({ calendar: { url }, headers: { authorization } })),
    })),
  /** Every event at Google by Google's own client, which parses them. */
  googleapis: ({ calendar: calendarId, authorization: access_token }) =>
    timing(async () => {
      const client = new auth.OAuth2();
      client.setCredentials({ access_token });
      const api = calendar({ version: "v3", auth: client, rootUrl: `${process.env.GOOGLE_BASE_URL}/` });
      let events = 0;
      let pageToken: string | undefined;
      do {
        const { data } = await api.events.list({
          calendarId,
          maxResults: PAGE_AT_GOOGLE,
          showDeleted: true,
          pageToken,
        });
        events += data.items?.length ?? 0;
        pageToken = data.nextPageToken ?? undefined;
      } while (pageToken);
      return { events };
    }),
  /** Every row of change tracking of the days that the service reads, by Microsoft's own client. Events and series are counted. */
  graph: ({ calendar: calendarId, authorization }) =>
    timing(async () => {
      const client = Client.initWithMiddleware({
        baseUrl: `${process.env.MICROSOFT_BASE_URL}/`,
        middleware: plainly(authorization),
      });
      const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
      const query = new URLSearchParams({ startDateTime: day(-43), endDateTime: day(202) });
      const prefer = `odata.maxpagesize=${PAGE_AT_MICROSOFT}, outlook.body-content-type="text"`;
      const ids = new Set<string>();
      let link: string | undefined = `/me/calendars/${calendarId}/calendarView/delta?${query}`;
      while (link !== undefined) {
        const page: PageCollection = await client.api(link).header("Prefer", prefer).get();
        for (const { id, type } of page.value) if (type !== "occurrence") ids.add(id);
        link = page["@odata.nextLink"]?.replace(/^.*\/v1\.0/, "");
      }
      return { events: ids.size };
    }),
  /** What changed since the token, and the text of it. */
  changes: ({ calendar: url, authorization, token }) =>
    timing(async () => {
      const headers = { authorization };
      const props = { "d:getetag": {} };
      const answers = await syncCollection({ url, props, syncLevel: 1, syncToken: token, headers });
      const next = String(answers[0]?.raw?.multistatus?.syncToken ?? "");
      const objectUrls = answers.flatMap(({ href }) => (href?.endsWith(".ics") ? href : []));
      if (token === undefined || objectUrls.length === 0) return { events: objectUrls.length, token: next };
      const data = { ...props, "c:calendar-data": {} };
      const read = await calendarMultiGet({ url, props: data, objectUrls, depth: "1", headers });
      return { events: read.length, token: next };
    }),
};

/** A process that does one task each time it is asked, and answers with what it took. */
const task = tasks[process.argv[2] ?? ""];
if (!task) throw new Error("there is no such task");
await db().query("SELECT 1");
process.on("message", async (asked: TaskInput) => process.send?.(await task(asked)));
process.on("disconnect", () => process.exit());

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

function parsed(objects: readonly { data?: unknown }[]): number {
  return objects.filter(({ data }) => ICAL.parse(String(data)).length > 0).length;
}

async function timing(work: () => Promise<Pick<TaskResult, "events" | "token"> | undefined>): Promise<TaskResult> {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const came = await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - began, cpuMs: (user + system) / 1_000, ...came };
}
