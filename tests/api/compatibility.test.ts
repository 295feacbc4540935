import { describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { env } from "@/server/env";
import { fakeClock } from "../fakes/clock";
import { dayFromNow } from "./dates";
import { connectedWithTokens, credentialsOf, refresh, revoke, withToken } from "./grants";
import { expectEmpty, expectIssues, expectOAuthError, expectSignedOut } from "./responses";
import { type Application, call, newApplication, openCalendar } from "./service";

const DAY = dayFromNow(10);
const ACCESS_TOKEN_MS = 10_800_000;
const meeting = { event_id: "1", summary: "s", start: `${DAY}T09:00:00Z`, end: `${DAY}T10:00:00Z` };

function compatible(): Promise<Application> {
  return newApplication({ compatibilityMode: true });
}

async function openCompatible() {
  const opened = await openCalendar(await compatible());
  return { ...opened, path: `/v1/calendars/${opened.calendarId}/events` };
}

function open(application: Application, application_calendar_id = "room") {
  const json = { ...credentialsOf(application), application_calendar_id };
  return call("POST", "/v1/application_calendars", { json });
}

function neutralNames(): void {
  const before = context.env;
  context.env = { ...env(), WIRE_NAMES: "neutral" };
  onTestFinished(() => {
    context.env = before;
  });
}

describe("GET /v1/userinfo", () => {
  it("has compat.type and compat.data for svc.type and svc.data", async () => {
    const { get, accountId } = await openCompatible();
    const { json } = await get("/v1/userinfo");
    expect(Object.keys(json).sort()).toEqual([
      "application_calendar_id",
      "cronofy.data",
      "cronofy.type",
      "name",
      "sub",
      "zoneinfo",
    ]);
    expect(json).toMatchObject({
      sub: accountId,
      "cronofy.type": "application_calendar",
      "cronofy.data": { authorization: { scope: "read_write", status: "active" }, profiles: [{}] },
    });
  });

  it("has the neutral names where the operator chose them", async () => {
    neutralNames();
    const { get } = await openCompatible();
    const { json } = await get("/v1/userinfo");
    expect(json).toHaveProperty(["compat.type"], "application_calendar");
    expect(json).toHaveProperty(["compat.data"]);
    const { accessToken } = await connectedWithTokens(await newApplication());
    expect((await withToken("GET", "/v1/profiles", accessToken)).json.profiles).toMatchObject([
      { provider_name: "prov_a", provider_service: "svc_a2" },
    ]);
  });
});

describe("GET /v1/account", () => {
  it("answers 403 plain text for an application calendar", async () => {
    const { get } = await openCompatible();
    const answer = await get("/v1/account");
    expect(answer.status).toBe(403);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(answer.text).toMatch(/\S/);
    expect(answer.headers.get("ratelimit-limit")).toBe("150");
  });

  it("answers 200 for the account of a connected person", async () => {
    const { accessToken, accountId } = await connectedWithTokens(await compatible());
    const answer = await withToken("GET", "/v1/account", accessToken);
    expect(answer).toMatchObject({ status: 200, json: { account: { account_id: accountId, type: "account" } } });
  });
});

describe("POST /v1/application_calendars", () => {
  it("returns the existing token pair while it is valid, with the seconds that are left", async () => {
    const clock = fakeClock();
    const application = await compatible();
    const first = await open(application);
    clock.advance(100_000);
    const second = await open(application);
    expect(second.status).toBe(200);
    expect(second.json).toEqual({ ...first.json, expires_in: 10_700 });
    expect(await withToken("GET", "/v1/profiles", second.json.access_token)).toMatchObject({ status: 200 });
  });

  it("never gives an expires_in that is not above 0", async () => {
    const clock = fakeClock();
    const application = await compatible();
    await open(application);
    clock.advance(ACCESS_TOKEN_MS - 400);
    const { json } = await open(application);
    expect(json.expires_in).toBeGreaterThan(0);
    expect(await withToken("GET", "/v1/profiles", json.access_token)).toMatchObject({ status: 200 });
  });

  it("returns a new pair when the existing one has expired", async () => {
    const clock = fakeClock();
    const application = await compatible();
    const first = await open(application);
    clock.advance(ACCESS_TOKEN_MS);
    const second = await open(application);
    expect(second.json).toMatchObject({ sub: first.json.sub, expires_in: 10_800 });
    expect(second.json.access_token).not.toBe(first.json.access_token);
    expect((await open(application)).json).toEqual(second.json);
  });

  it("returns the existing pair also after a refresh", async () => {
    const application = await compatible();
    const first = await open(application);
    await refresh(application, first.json.refresh_token);
    expect((await open(application)).json).toMatchObject({
      access_token: first.json.access_token,
      refresh_token: first.json.refresh_token,
    });
  });

  it("is revoked by sub alone, as some of that vendor's SDKs send it; another application's sub changes nothing", async () => {
    const [application, other] = [await compatible(), await compatible()];
    const { json } = await open(application);
    for (const [client, ended] of [
      [other, 200],
      [application, 401],
    ] as const) {
      expect(
        (await call("POST", "/oauth/token/revoke", { json: { ...credentialsOf(client), sub: json.sub } })).status,
      ).toBe(200);
      expect((await withToken("GET", "/v1/profiles", json.access_token)).status).toBe(ended);
    }
  });

  it("returns a new pair of a new calendar after a revocation", async () => {
    const application = await compatible();
    const first = await open(application);
    await revoke(application, first.json.access_token);
    const second = await open(application);
    expect(second.json.sub).not.toBe(first.json.sub);
    expect(second.json.refresh_token).not.toBe(first.json.refresh_token);
  });

  it("returns one pair to 10 parallel opens, the first ones and those after it has expired", async () => {
    const clock = fakeClock();
    const application = await compatible();
    for (const _ of ["first", "after it has expired"]) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => open(application)));
      expect(new Set(answers.map(({ json }) => json.access_token)).size).toBe(1);
      expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(1);
      clock.advance(ACCESS_TOKEN_MS);
    }
  });

  it("keeps each calendar's pair apart", async () => {
    const application = await compatible();
    const [one, other] = [await open(application, "one"), await open(application, "other")];
    expect(one.json.access_token).not.toBe(other.json.access_token);
    expect((await open(application, "one")).json.access_token).toBe(one.json.access_token);
  });
});

describe("POST /oauth/token/revoke", () => {
  it("accepts refresh_token in place of token, and sub beside it", async () => {
    const { application, accessToken, refreshToken, accountId } = await openCompatible();
    const json = { ...credentialsOf(application), refresh_token: refreshToken, sub: accountId };
    expectEmpty(await call("POST", "/oauth/token/revoke", { json }), 200);
    expectSignedOut(await withToken("GET", "/v1/profiles", accessToken), "invalid_token");
  });

  it("answers invalid_request without either", async () => {
    const json = credentialsOf(await compatible());
    expectOAuthError(await call("POST", "/oauth/token/revoke", { json }), "invalid_request");
  });
});

describe("422", () => {
  it("errors.required: summary must be specified", async () => {
    const { post, path } = await openCompatible();
    const answer = await post(path, { ...meeting, summary: undefined, start: undefined });
    expectIssues(answer, { summary: "errors.required", start: "errors.required" });
    expect(answer.json.errors.summary).toEqual([{ key: "errors.required", description: "summary must be specified" }]);
  });

  it("errors.tzid_unrecognized: a time zone that does not exist", async () => {
    const { post, path, get } = await openCompatible();
    expectIssues(await post(path, { ...meeting, tzid: "Mars/Olympus" }), { tzid: "errors.tzid_unrecognized" });
    expectIssues(await post(path, { ...meeting, start: { time: `${DAY}T09:00:00`, tzid: "Mars/Olympus" } }), {
      "start.tzid": "errors.tzid_unrecognized",
    });
    for (const read of ["/v1/events", "/v1/free_busy"]) {
      expectIssues(await get(read, { tzid: "Mars/Olympus" }), { tzid: "errors.tzid_unrecognized" });
    }
  });

  it("errors.tzid_unrecognized: a missing tzid", async () => {
    const { post, path, get } = await openCompatible();
    expectIssues(await post(path, { ...meeting, start: { time: `${DAY}T09:00:00Z` } }), {
      "start.tzid": "errors.tzid_unrecognized",
    });
    for (const read of ["/v1/events", "/v1/free_busy"]) {
      expectIssues(await get(read), { tzid: "errors.tzid_unrecognized" });
    }
  });

  it("errors.invalid_time_pair: end before start", async () => {
    const { post, path } = await openCompatible();
    expectIssues(await post(path, { ...meeting, end: `${DAY}T08:00:00Z` }), { end: "errors.invalid_time_pair" });
    expectIssues(await post(path, { ...meeting, start: DAY, end: dayFromNow(9) }), { end: "errors.invalid_time_pair" });
  });

  it("keeps every other key: an unreadable time, dates and times mixed", async () => {
    const { post, path } = await openCompatible();
    expectIssues(await post(path, { ...meeting, start: "x" }), { start: "errors.invalid" });
    expectIssues(await post(path, { ...meeting, end: DAY }), { end: "errors.invalid" });
    expectIssues(await post(path, { ...meeting, summary: 5 }), { summary: "errors.invalid_type" });
  });

  it("has neither key outside this mode", async () => {
    const { post, get, calendarId } = await openCalendar();
    const path = `/v1/calendars/${calendarId}/events`;
    expectIssues(await post(path, { ...meeting, tzid: "Mars/Olympus", end: `${DAY}T08:00:00Z` }), {
      tzid: "errors.invalid",
      end: "errors.invalid",
    });
    expectIssues(await get("/v1/events"), { tzid: "errors.required" });
  });
});

describe("what the other vendor's clients send", () => {
  it("is taken by GET /v1/events: booleans in any case, which outside this mode are errors.invalid_value", async () => {
    const { get, write } = await openCompatible();
    await write(meeting);
    const query = { tzid: "Etc/UTC", include_managed: "True", only_managed: "TRUE", localized_times: "False" };
    expect((await get("/v1/events", query)).json.events).toHaveLength(1);
    const elsewhere = await openCalendar();
    expectIssues(await elsewhere.get("/v1/events", { tzid: "Etc/UTC", include_managed: "TRUE" }), {
      include_managed: "errors.invalid_value",
    });
  });

  it("is accepted and ignored on writes", async () => {
    const { post, path } = await openCompatible();
    const fields = {
      reminders: [{ minutes: 10 }],
      color: "#ff0000",
      event_private: true,
      subscriptions: [{ type: "webhook", uri: "https://acme.io" }],
      locale: "de",
      attachments: { add: [] },
    };
    expectEmpty(await post(path, { ...meeting, ...fields }), 202);
  });

  it("is accepted and ignored on reads", async () => {
    const { get } = await openCompatible();
    const query = {
      tzid: "Etc/UTC",
      include_geo: "true",
      include_moved: "1",
      include_free: "x",
      google_event_ids: "true",
    };
    expect(await get("/v1/events", query)).toMatchObject({ status: 200 });
  });

  it("may be a Content-Encoding that the body does not have", async () => {
    const { path, accessToken } = await openCompatible();
    const headers = {
      authorization: `Bearer ${accessToken}`,
      "content-encoding": "gzip;q=1.0, deflate;q=0.6, identity;q=0.3",
    };
    expectEmpty(await call("POST", path, { json: meeting, headers }), 202);
  });

  it("may be times with a space or with milliseconds", async () => {
    const { get, post, path } = await openCompatible();
    const times = { start: `${DAY} 09:00:00Z`, end: `${DAY}T10:00:00.000Z` };
    expectEmpty(await post(path, { ...meeting, ...times }), 202);
    expect((await get("/v1/events", { tzid: "Etc/UTC", include_managed: "true" })).json.events).toMatchObject([
      { start: `${DAY}T09:00:00Z`, end: `${DAY}T10:00:00Z` },
    ]);
  });
});
