import type { Client } from "@microsoft/microsoft-graph-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CalendarState } from "../../fakes/microsoft/calendar-state";
import type { KnownError } from "../../fakes/microsoft/errors";
import type { MicrosoftFake } from "../../fakes/microsoft/microsoft";
import { adaOfMicrosoft, failure, graphClient, meeting } from "./microsoft-client";

let microsoft: MicrosoftFake;
let api: Client;
let state: CalendarState;

beforeEach(async () => {
  ({ microsoft, api, state } = await adaOfMicrosoft());
});
afterEach(() => microsoft.close());

const list = () => api.api("/me/events").get();
const create = () => api.api("/me/events").post(meeting({ transactionId: "once" }));
const raw = (path: string) =>
  fetch(`${microsoft.origin}/v1.0${path}`, {
    headers: { authorization: `Bearer ${microsoft.accessToken("ada@example.com")}` },
  });

describe("faults", () => {
  it.each<[KnownError, number, string]>([
    ["invalidToken", 401, "InvalidAuthenticationToken"],
    ["accessDenied", 403, "ErrorAccessDenied"],
    ["itemNotFound", 404, "ErrorItemNotFound"],
    ["mailboxNotEnabled", 404, "MailboxNotEnabledForRESTAPI"],
    ["syncStateNotFound", 410, "SyncStateNotFound"],
    ["resyncRequired", 410, "resyncRequired"],
    ["irresolvableConflict", 412, "ErrorIrresolvableConflict"],
    ["mailboxConcurrency", 429, "ApplicationThrottled"],
    ["tooManyRequests", 429, "TooManyRequests"],
    ["activityLimitReached", 429, "activityLimitReached"],
    ["internalServerError", 500, "ErrorInternalServerError"],
    ["badGateway", 502, "BadGateway"],
    ["serviceUnavailable", 503, "ErrorServerBusy"],
    ["gatewayTimeout", 504, "UnknownError"],
  ])("respond with %s once", async (respond, status, code) => {
    microsoft.faults.next({ respond });
    expect(await failure(list())).toEqual({ status, code });
    expect((await list()).value).toEqual([]);
    expect(microsoft.faults.left()).toBe(0);
  });

  it("have Graph's form of errors", async () => {
    microsoft.faults.next({ respond: "syncStateNotFound" });
    const response = await raw("/me/events");
    const error = {
      code: "SyncStateNotFound",
      message: expect.stringContaining("generation"),
      innerError: {
        date: expect.any(String),
        "request-id": expect.any(String),
        "client-request-id": expect.any(String),
      },
    };
    expect(await response.json()).toEqual({ error });
    expect(response.headers.get("request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("send Retry-After only when asked to, as seconds or as a date", async () => {
    const date = new Date(Date.now() + 5000).toUTCString();
    for (const retryAfter of [30, date]) {
      microsoft.faults.next({ respond: "tooManyRequests", retryAfter });
      expect((await raw("/me/events")).headers.get("retry-after")).toBe(String(retryAfter));
    }
    microsoft.faults.next({ respond: "tooManyRequests" });
    expect((await raw("/me/events")).headers.get("retry-after")).toBeNull();
  });

  it("meet only the requests that match, from the n-th on, as often as planned", async () => {
    microsoft.faults.next({
      method: "GET",
      path: /\/events$/,
      query: { $top: "5" },
      after: 1,
      times: 2,
      respond: "serviceUnavailable",
    });
    await create();
    await list();
    const top = () => api.api("/me/events").top(5).get();
    await top();
    expect(await failure(top())).toMatchObject({ status: 503 });
    expect(await failure(top())).toMatchObject({ status: 503 });
    expect((await top()).value).toHaveLength(1);
  });

  it("come before the work, or after it was done, when a repeated create finds its event", async () => {
    microsoft.faults.next({ method: "POST", respond: "internalServerError" });
    expect(await failure(create())).toMatchObject({ status: 500 });
    expect(state.events()).toEqual([]);
    microsoft.faults.next({ method: "POST", respond: "gatewayTimeout", afterWork: true });
    expect(await failure(create())).toMatchObject({ status: 504 });
    const [event] = state.events();
    expect((await create()).id).toBe(event?.id);
    expect(state.events()).toHaveLength(1);
  });

  it("break the connection, before the work and after it", async () => {
    microsoft.faults.next({ method: "POST", breakConnection: true });
    expect(await failure(create())).toMatchObject({ status: -1 });
    expect(state.events()).toEqual([]);
    microsoft.faults.next({ method: "POST", breakConnection: true, afterWork: true });
    expect(await failure(create())).toMatchObject({ status: -1 });
    expect(state.events()).toHaveLength(1);
    expect(microsoft.requests.map(({ status }) => status)).toEqual([null, null]);
  });

  it("run what others do before the work of a request", async () => {
    const id = state.putEvent(meeting());
    const { "@odata.etag": etag } = await api.api(`/me/events/${id}`).get();
    microsoft.faults.next({ method: "PATCH", run: () => state.rewriteChangeKey(id) });
    const change = api.api(`/me/events/${id}`).header("If-Match", etag).patch({ subject: "Mine" });
    expect(await failure(change)).toMatchObject({ status: 412 });
  });

  it("make a request slow", async () => {
    let open = () => {};
    const until = new Promise<void>((resolve) => {
      open = resolve;
    });
    microsoft.faults.next({ delay: 1, until });
    const slow = list();
    await expect.poll(() => microsoft.requests).toHaveLength(1);
    expect(microsoft.requests[0]?.status).toBeNull();
    open();
    expect((await slow).value).toEqual([]);
  });

  it("can be a whole response, meet the sign-in service, and be forgotten", async () => {
    microsoft.faults.next({ path: /\/token$/, respond: { status: 503, body: "<html>busy</html>" } });
    const token = await fetch(`${microsoft.origin}/organizations/oauth2/v2.0/token`, { method: "POST" });
    expect([token.status, await token.text()]).toEqual([503, "<html>busy</html>"]);
    microsoft.faults.next({ respond: "internalServerError" });
    microsoft.faults.clear();
    expect((await list()).value).toEqual([]);
  });
});

describe("the log of requests", () => {
  it("has method, path, query, preferences, version, body and status in order", async () => {
    const { id } = await create();
    await api
      .api(`/me/events/${id}`)
      .header("If-Match", "*")
      .header("Prefer", 'IdType="ImmutableId"')
      .patch({ subject: "Mine" });
    await api.api("/$batch").post({ requests: [{ id: "1", method: "GET", url: "/me/calendars?$top=2" }] });
    expect(microsoft.requests).toMatchObject([
      { method: "POST", path: "/v1.0/me/events", status: 201, authorized: true, isPart: false },
      { method: "PATCH", path: `/v1.0/me/events/${id}`, ifMatch: "*", prefer: 'IdType="ImmutableId"', status: 200 },
      { method: "POST", path: "/v1.0/$batch", status: 200 },
      { method: "GET", path: "/v1.0/me/calendars", query: { $top: "2" }, isPart: true, status: 200 },
    ]);
    expect(JSON.parse(microsoft.requests[1]?.body ?? "")).toEqual({ subject: "Mine" });
  });
});

describe("throttling", () => {
  /** Requests that stay under way until they are let go: their statuses. */
  async function held(count: number, client = api) {
    let letGo = () => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const before = microsoft.requests.length;
    microsoft.faults.next({ times: count, until });
    const get = () => client.api("/me/calendars").get();
    const statuses = Promise.all(Array.from({ length: count }, () => get().then(() => 200)));
    await expect.poll(() => microsoft.requests.length - before).toBe(count);
    return { letGo, statuses };
  }

  it("lets four requests of a mailbox run at once, and refuses the fifth", async () => {
    const { letGo, statuses } = await held(4);
    const response = await raw("/me/calendars");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "1"]);
    const message = "Application is over its MailboxConcurrency limit.";
    expect(await response.json()).toMatchObject({ error: { code: "ApplicationThrottled", message } });
    letGo();
    expect(await statuses).toEqual([200, 200, 200, 200]);
    expect((await list()).value).toEqual([]);
    expect(microsoft.counters).toMatchObject({ mostAtOnce: { "ada@example.com": 5 }, overConcurrency: 1 });
  });

  it("counts each mailbox for itself, and requests one after the other as one", async () => {
    const bob = graphClient(microsoft, "bob@example.com");
    const [one, other] = [await held(4), await held(4, bob)];
    for (const { letGo, statuses } of [one, other]) {
      letGo();
      expect(await statuses).toEqual([200, 200, 200, 200]);
    }
    microsoft.counters.reset();
    await list();
    await list();
    expect(microsoft.counters).toMatchObject({ mostAtOnce: { "ada@example.com": 1 }, overConcurrency: 0 });
  });

  it("makes requests take a while, so that those at once meet", async () => {
    microsoft.knobs.latency = 50;
    const statuses = Array.from({ length: 9 }, () => raw("/me/calendars").then(({ status }) => status));
    expect(await Promise.all(statuses)).toContain(429);
  });

  it("does not count what no mailbox sees: sign-in, subscriptions, and requests without a valid token", async () => {
    const strangers = Array.from({ length: 6 }, () => fetch(`${microsoft.origin}/v1.0/me/calendars`));
    const subscriptions = Array.from({ length: 6 }, () => raw("/subscriptions"));
    const responses = await Promise.all([...strangers, ...subscriptions]);
    expect(responses.map(({ status }) => status)).toEqual([...Array(6).fill(401), ...Array(6).fill(200)]);
    expect(microsoft.counters.mostAtOnce).toEqual({});
  });

  it("frees the place of a request whose connection breaks", async () => {
    microsoft.faults.next({ times: 4, breakConnection: true });
    for (let number = 1; number <= 4; number += 1) await failure(list());
    const { letGo, statuses } = await held(4);
    letGo();
    expect(await statuses).toEqual([200, 200, 200, 200]);
  });

  it("records requests that come before Retry-After", async () => {
    microsoft.faults.next({ respond: "tooManyRequests", retryAfter: 10 });
    await failure(list());
    await list();
    expect(microsoft.counters.violations).toMatchObject([
      { email: "ada@example.com", method: "GET", path: "/v1.0/me/events" },
    ]);
    expect(microsoft.counters.violations[0]?.early).toBeGreaterThan(9000);
    microsoft.advance(10_000);
    await list();
    await graphClient(microsoft, "bob@example.com").api("/me/events").get();
    expect(microsoft.counters.violations).toHaveLength(1);
  });

  it("refuses them as well if the fake is told so", async () => {
    microsoft.knobs.insists = true;
    microsoft.faults.next({ respond: "serviceUnavailable", retryAfter: 10 });
    await failure(list());
    expect(await failure(list())).toMatchObject({ status: 429 });
    microsoft.advance(11_000);
    expect((await list()).value).toEqual([]);
  });

  it("counts requests by their route", async () => {
    const { id } = await create();
    await api.api(`/me/events/${id}`).patch({ subject: "Mine" });
    await api.api(`/me/calendars/${state.id}/calendarView?startDateTime=2027-03-01&endDateTime=2027-04-01`).get();
    expect(microsoft.counters.routes).toEqual({
      "POST /me/events": 1,
      "PATCH /me/events/{id}": 1,
      "GET /me/calendars/{id}/calendarView": 1,
    });
  });
});
