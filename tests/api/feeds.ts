import { expect } from "vitest";
import { type ApiResponse, address, call, type Opened } from "./service";

export interface OpenedFeed {
  id: string;
  /** The path of its address. */
  path: string;
}

/** Creates a feed of a calendar and expects 201. */
export async function openFeed(
  { post, calendarId }: Pick<Opened, "post" | "calendarId">,
  body: { detail: "busy" | "titles" | "full"; days_back?: number; days_ahead?: number },
): Promise<OpenedFeed> {
  const { status, json, text } = await post(`/v1/calendars/${calendarId}/feeds`, body);
  expect(status, text).toBe(201);
  return { id: json.feed_id, path: new URL(json.url).pathname };
}

/** Reads a feed as a calendar program does. */
export function readFeed(
  { path }: Pick<OpenedFeed, "path">,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<ApiResponse> {
  return call(method, path, { headers });
}

/** The unfolded lines of a feed. */
export function linesOf(ics: string): string[] {
  return ics.replaceAll("\r\n ", "").split("\r\n");
}

/** All events of a calendar in the whole window that reads have. */
export async function allEvents(
  { get, calendarId }: Pick<Opened, "get" | "calendarId">,
  endpoint: "events" | "free_busy" = "events",
  // biome-ignore lint/suspicious/noExplicitAny: documented JSON.
): Promise<any[]> {
  const query = { tzid: "Etc/UTC", include_managed: "true", "calendar_ids[]": calendarId };
  let page = await get(`/v1/${endpoint}`, query);
  const found = [...page.json[endpoint]];
  while (page.json.pages.next_page) {
    const next = new URL(page.json.pages.next_page);
    page = await get(next.pathname + next.search);
    found.push(...page.json[endpoint]);
  }
  return found;
}

export { address };
