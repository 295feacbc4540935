import type { calendar_v3 } from "@googleapis/calendar";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { KnownError } from "../../fakes/google/errors";
import { type GoogleFake, startGoogle } from "../../fakes/google/google";
import { failure, meeting, officialClient } from "./google-client";

let google: GoogleFake;
let api: calendar_v3.Calendar;

beforeEach(async () => {
  google = await startGoogle();
  api = officialClient(google);
});
afterEach(() => google.close());

const calendarId = "primary";
const list = () => api.events.list({ calendarId });
const insert = () => api.events.insert({ calendarId, requestBody: meeting({ id: "almanac0001" }) });
const stored = () => google.calendar("ada@example.com").events();

describe("faults", () => {
  it.each<[KnownError, number, string]>([
    ["authError", 401, "authError"],
    ["rateLimitExceeded", 403, "rateLimitExceeded"],
    ["userRateLimitExceeded", 403, "userRateLimitExceeded"],
    ["quotaExceeded", 403, "quotaExceeded"],
    ["dailyLimitExceeded", 403, "dailyLimitExceeded"],
    ["insufficientPermissions", 403, "insufficientPermissions"],
    ["notFound", 404, "notFound"],
    ["fullSyncRequired", 410, "fullSyncRequired"],
    ["updatedMinTooLongAgo", 410, "updatedMinTooLongAgo"],
    ["deleted", 410, "deleted"],
    ["conditionNotMet", 412, "conditionNotMet"],
    ["tooManyRequests", 429, "rateLimitExceeded"],
    ["backendError", 500, "backendError"],
    ["serviceUnavailable", 503, "backendError"],
  ])("respond with %s once", async (respond, status, reason) => {
    google.faults.next({ respond });
    expect(await failure(list())).toEqual({ status, reason });
    expect((await list()).status).toBe(200);
    expect(google.faults.left()).toBe(0);
  });

  it("have Google's form of errors", async () => {
    google.faults.next({ respond: "fullSyncRequired" });
    const response = await fetch(`${google.origin}/calendar/v3/calendars/primary/events`);
    const message = "Sync token is no longer valid, a full sync is required.";
    const error = {
      domain: "calendar",
      reason: "fullSyncRequired",
      message,
      locationType: "parameter",
      location: "syncToken",
    };
    expect(await response.json()).toEqual({ error: { code: 410, message, errors: [error] } });
  });

  it("send Retry-After only when asked to", async () => {
    const path = `${google.origin}/calendar/v3/calendars/primary/events`;
    google.faults.next({ respond: "tooManyRequests", retryAfter: 30 });
    expect((await fetch(path)).headers.get("retry-after")).toBe("30");
    google.faults.next({ respond: "tooManyRequests" });
    expect((await fetch(path)).headers.get("retry-after")).toBeNull();
  });

  it("meet only the requests that match, from the n-th on, as often as planned", async () => {
    google.faults.next({ method: "GET", path: /\/events$/, after: 2, times: 2, respond: "backendError" });
    expect((await insert()).status).toBe(200);
    expect((await list()).status).toBe(200);
    expect((await list()).status).toBe(200);
    expect(await failure(list())).toMatchObject({ status: 500 });
    expect(await failure(list())).toMatchObject({ status: 500 });
    expect((await list()).status).toBe(200);
  });

  it("match by the query as well", async () => {
    google.faults.next({ query: { syncToken: /./ }, respond: "fullSyncRequired" });
    const { data } = await list();
    const incremental = api.events.list({ calendarId, syncToken: data.nextSyncToken ?? "" });
    expect(await failure(incremental)).toEqual({ status: 410, reason: "fullSyncRequired" });
  });

  it("come before the work, or after it was done", async () => {
    google.faults.next({ method: "POST", respond: "backendError" });
    expect(await failure(insert())).toMatchObject({ status: 500 });
    expect(stored()).toEqual([]);
    google.faults.next({ method: "POST", respond: "serviceUnavailable", afterWork: true });
    expect(await failure(insert())).toMatchObject({ status: 503 });
    expect(stored()).toHaveLength(1);
    expect(await failure(insert())).toEqual({ status: 409, reason: "duplicate" });
  });

  it("break the connection, before the work and after it", async () => {
    google.faults.next({ method: "POST", breakConnection: true });
    await expect(insert()).rejects.not.toHaveProperty("response.status");
    expect(stored()).toEqual([]);
    google.faults.next({ method: "POST", breakConnection: true, afterWork: true });
    await expect(insert()).rejects.not.toHaveProperty("response.status");
    expect(stored()).toHaveLength(1);
    expect(google.requests.map(({ status }) => status)).toEqual([null, null]);
  });

  it("run what others do before the work of a request", async () => {
    const state = google.calendar("ada@example.com");
    google.knobs.pageSize = 1;
    const [one, two] = [state.putEvent(meeting()), state.putEvent(meeting())];
    google.faults.next({ query: { pageToken: /./ }, run: () => state.deleteEvent(one) });
    const first = (await list()).data;
    const second = await api.events.list({ calendarId, pageToken: first.nextPageToken ?? "" });
    expect([first, second.data].map(({ items }) => items?.[0]?.id)).toEqual([one, two]);
    const changes = await api.events.list({ calendarId, syncToken: second.data.nextSyncToken ?? "" });
    expect(changes.data.items).toMatchObject([{ id: one, status: "cancelled" }]);
  });

  it("make a request slow", async () => {
    let open = () => {};
    const until = new Promise<void>((resolve) => {
      open = resolve;
    });
    google.faults.next({ delay: 1, until });
    const slow = list();
    await expect.poll(() => google.requests).toHaveLength(1);
    expect(google.requests[0]?.status).toBeNull();
    open();
    expect((await slow).status).toBe(200);
  });

  it("can be a whole response, and be forgotten", async () => {
    google.faults.next({ respond: { status: 502, body: "<html>Bad Gateway</html>" } });
    const response = await fetch(`${google.origin}/calendar/v3/users/me/calendarList`);
    expect([response.status, await response.text()]).toEqual([502, "<html>Bad Gateway</html>"]);
    google.faults.next({ respond: "backendError" });
    google.faults.clear();
    expect((await list()).status).toBe(200);
  });
});

describe("the log of requests", () => {
  it("has method, path, query and status in order", async () => {
    await insert();
    await api.events.list({ calendarId, maxResults: 5 });
    expect(google.requests).toMatchObject([
      { method: "POST", path: "/calendar/v3/calendars/primary/events", status: 200, authorized: true },
      { method: "GET", path: "/calendar/v3/calendars/primary/events", query: { maxResults: "5" }, status: 200 },
    ]);
    expect(JSON.parse(google.requests[0]?.body ?? "")).toMatchObject({ id: "almanac0001" });
  });
});

describe("requests that Google does not know", () => {
  it("404 for an unknown path, 400 for a body that is no JSON", async () => {
    const headers = { authorization: `Bearer ${google.accessToken("ada@example.com")}` };
    const at = (path: string, options: RequestInit = {}) => fetch(`${google.origin}${path}`, { headers, ...options });
    expect((await at("/calendar/v3/nonsense")).status).toBe(404);
    expect((await at("/nonsense")).status).toBe(404);
    expect((await at("/calendar/v3/calendars/%E0%A4%A/events")).status).toBe(404);
    expect((await at("/calendar/v3/calendars/primary/events", { method: "POST", body: "{" })).status).toBe(400);
  });
});
