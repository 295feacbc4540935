import { context } from "@/server/context";
import { fakeClock } from "../fakes/clock";
import { type ProviderEvent, storeProviderEvents } from "../fakes/stored-events";
import { keepAccessTokens } from "../fakes/stored-grants";
import { type ApiResponse, type Application, type Opened, openCalendar } from "./service";

/** One of the two reads, for what both promise ("GET /v1/free_busy and GET /v1/events", "Common query parameters"). */
export interface ReadUnderTest {
  path: "/v1/events" | "/v1/free_busy";
  pageSize: number;
}

export type Row = { event_uid: string; start: string; end: string; calendar_id: string; event_id?: string };

/** Reads serve 2025-10-10T12:00:00Z to 2026-06-10T12:00:00Z. In the past, so that this clock's chores delete nothing of other tests. */
export const NOW = Date.parse("2025-11-21T12:00:00Z");

/**
 * An account with a calendar, at a time that stands still. Its token is made and prolonged first: other tests' chores
 * delete what expired in the past.
 */
export async function opened(now = NOW, application?: Application): Promise<Opened> {
  context.clock = undefined;
  const account = await openCalendar(application);
  await keepAccessTokens(account.accountId);
  fakeClock(now);
  return account;
}

export function rowsOf({ json, status, text }: ApiResponse): Row[] {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return json.events ?? json.free_busy;
}

export const uidsOf = (answer: ApiResponse): string[] => rowsOf(answer).map((row) => row.event_uid);

/** Follows next_page to the end. */
export async function allPages(
  { get }: Opened,
  path: string,
  query: Record<string, string | string[]>,
): Promise<ApiResponse[]> {
  const answers = [await get(path, query)];
  for (let next = answers[0]?.json.pages.next_page; next; next = answers.at(-1)?.json.pages.next_page) {
    answers.push(await get(pathOf(next)));
  }
  return answers;
}

/** What of an absolute address is sent to the service under test. */
export function pathOf(nextPage: string): string {
  return nextPage.slice(new URL(nextPage).origin.length);
}

/** Stores events of others, named by their times: `["2025-12-01T10:00:00Z/2025-12-01T11:00:00Z"]`; an end left out is the start. */
export async function storeSpans(calendarId: string, spans: readonly string[], more: Partial<ProviderEvent> = {}) {
  const uids = await storeProviderEvents(
    spans.map((span) => {
      const [start = "", end = start] = span.split("/");
      return { calendarId, start, end, ...more };
    }),
  );
  return new Map(uids.map((uid, i) => [uid, spans[i] ?? ""]));
}

/** Which of the spans a query shows, in its order, in a calendar of their own. */
export async function shown(read: ReadUnderTest, spans: string[], query: Record<string, string>, now = NOW) {
  const account = await opened(now);
  const named = await storeSpans(account.calendarId, spans);
  return uidsOf(await account.get(read.path, { tzid: "Etc/UTC", ...query })).map((uid) => named.get(uid));
}
