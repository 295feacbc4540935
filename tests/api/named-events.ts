import { type ApiResponse, call } from "./service";
import type { Calendar } from "./written-series";

export interface Caller {
  accessToken: string;
}

interface Sent {
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/** A request to /v1/events/{event_uid}. */
export function ofUid(method: "GET" | "PATCH" | "DELETE", uid: string, { accessToken }: Caller, sent: Sent = {}) {
  const query = new URLSearchParams(sent.query).toString();
  return call(method, `/v1/events/${encodeURIComponent(uid)}${query && `?${query}`}`, {
    json: sent.body,
    headers: { authorization: `Bearer ${accessToken}`, ...sent.headers },
  });
}

/** The strong entity tag of a response. */
export function tagOf({ headers }: ApiResponse): string {
  return headers.get("etag") ?? "none";
}

/** What somebody else does in an application calendar (POST /v1/sandbox/changes). */
export async function byOthers(calendar: Calendar, change: object): Promise<void> {
  const { status, text } = await calendar.post("/v1/sandbox/changes", { calendar_id: calendar.calendarId, ...change });
  if (status !== 202 && status !== 200) throw new Error(`the sandbox did not change it: ${status} ${text}`);
}
