import type { calendar_v3 } from "@googleapis/calendar";
import type { Seen } from "@/tests/rig/google/lives";
import { OWNER, type Stage } from "@/tests/rig/google/stage";

const DAY_MS = 86_400_000;

/** The days that are compared: inside what reads return. */
function window(): { from: string; to: string } {
  const date = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return { from: date(-38), to: date(198) };
}

/** What Google shows, by its own expansion of series. */
export async function seenAtGoogle({ google }: Stage): Promise<Seen[]> {
  const { from, to } = window();
  const authorization = `Bearer ${google.accessToken(OWNER)}`;
  const seen: Seen[] = [];
  let pageToken: string | undefined;
  do {
    const times = { timeMin: `${from}T00:00:00Z`, timeMax: `${to}T00:00:00Z` };
    const query = { ...times, singleEvents: "true", maxResults: "2500", ...(pageToken && { pageToken }) };
    const url = `${google.origin}/calendar/v3/calendars/${OWNER}/events?${new URLSearchParams(query)}`;
    const page = (await (await fetch(url, { headers: { authorization } })).json()) as calendar_v3.Schema$Events;
    for (const item of page.items ?? []) seen.push(seenItem(item));
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken);
  return seen;
}

function seenItem({ summary, start, end, attendees, hangoutLink }: calendar_v3.Schema$Event): Seen {
  const time = (of?: calendar_v3.Schema$EventDateTime) => of?.date ?? instant(of?.dateTime ?? "");
  const guests = (attendees ?? []).map(({ email }) => email ?? "").sort();
  return { summary: summary ?? "", start: time(start), end: time(end), guests, hasLink: Boolean(hangoutLink) };
}

interface ApiEvent {
  summary: string;
  start: string;
  end: string;
  attendees: { email: string }[];
  conferencing?: { join_url?: string };
}

/** What an application reads. */
export async function seenByApplication({ token, calendarId }: Stage, origin: string): Promise<Seen[]> {
  const query = { tzid: "Etc/UTC", ...window(), "calendar_ids[]": calendarId, include_managed: "true" };
  const seen: Seen[] = [];
  let url: string | undefined = `${origin}/v1/events?${new URLSearchParams(query)}`;
  while (url) {
    const response: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (response.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      continue;
    }
    if (response.status !== 200) throw new Error(`GET /v1/events: ${response.status}`);
    const page = (await response.json()) as { events: ApiEvent[]; pages: { next_page?: string } };
    for (const { summary, start, end, attendees, conferencing } of page.events) {
      const guests = attendees.map(({ email }) => email).sort();
      const times = { start: start.length > 10 ? instant(start) : start, end: end.length > 10 ? instant(end) : end };
      seen.push({ summary, ...times, guests, hasLink: conferencing?.join_url !== undefined });
    }
    url = page.pages.next_page && new URL(new URL(page.pages.next_page).search, `${origin}/v1/events`).href;
  }
  return seen;
}

const instant = (text: string) => new Date(text).toISOString().replace(".000", "");

/** How many of `wanted` are not among `there`, each counted as often as it is there. */
export function missing(wanted: readonly Seen[], there: readonly Seen[]): number {
  const counts = new Map<string, number>();
  for (const one of there) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1);
  let none = 0;
  for (const one of wanted) {
    const left = counts.get(key(one)) ?? 0;
    if (left === 0) none += 1;
    else counts.set(key(one), left - 1);
  }
  return none;
}

function key({ summary, start, end, guests, hasLink }: Seen): string {
  return JSON.stringify([summary, start, end, [...guests].sort(), hasLink]);
}
