import { createHash, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { context } from "@/server/context";
import { connect, db } from "@/server/db/client";
import { fakeClock } from "../fakes/clock";
import { loggedRequests } from "../fakes/stored-traffic";
import { basic } from "./availability";
import { dayFromNow } from "./dates";
import {
  applicationId,
  connectAccount,
  connectedWithTokens,
  credentialsOf,
  issueCode,
  REDIRECT_URI,
  withToken,
} from "./grants";
import { rawRequest } from "./raw-request";
import { comparable, expectEmpty, expectIssues, expectSignedOut } from "./responses";
import { call, newApplication, newProcessServices, openCalendar } from "./service";

const OUR_ID = /^req_[0-9a-f]{24}$/;
const SMALL_BODY = 64 * 1024;
const EVENT_BODY = 16 * 1024 * 1024;
const ACCESS_TOKEN_MS = 10_800_000;
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const event = { event_id: "1", summary: "s", start: "2026-11-21", end: "2026-11-22" };

describe("Svc-Request-Id", () => {
  const kinds: [number, string, string, Parameters<typeof call>[2]?][] = [
    [200, "POST", "/oauth/token/revoke"],
    [202, "POST", "/v1/calendars/{calendar_id}/events", { json: event }],
    [400, "POST", "/oauth/token", { json: {} }],
    [401, "GET", "/v1/account", { headers: { authorization: "Bearer x" } }],
    [404, "GET", "/v1/nothing"],
    [404, "GET", "/v1//account"],
    [404, "DELETE", "/v1/channels/chn_x"],
    [404, "POST", "/v1/calendars/cal_x/events", { json: event }],
    [405, "PUT", "/v1/account"],
    [400, "GET", "/oauth/authorize"],
    [200, "POST", "/v1/link_tokens"],
    [413, "POST", "/oauth/token", { json: { padding: "x".repeat(SMALL_BODY) } }],
    [422, "POST", "/v1/application_calendars", { json: {} }],
    [422, "POST", "/v1/availability", { json: {} }],
    [401, "POST", "/v1/availability", { headers: { authorization: "Basic eDp5" } }],
  ];

  it.each(kinds)("is on every response: %i %s %s", async (status, method, path, sent) => {
    const { accessToken, calendarId, application } = await openCalendar();
    const json = { ...credentialsOf(application), token: "unknown" };
    const authorization = `Bearer ${accessToken}`;
    const target = path.replace("{calendar_id}", calendarId);
    const options = sent ?? (method === "POST" ? { json } : {});
    const answer = await call(method, target, { ...options, headers: { authorization, ...options.headers } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("svc-request-id")).toMatch(OUR_ID);
  });

  it.each(["/v1/%zz", "/v1/%c3%28", "/%00", "*", "//"])(
    "is on the answer to the malformed target %s",
    async (target) => {
      const answer = await rawRequest({ method: "GET", target });
      expect(answer.headers.get("svc-request-id")).toMatch(OUR_ID);
      expect([400, 404]).toContain(answer.status);
      expect(answer.text).not.toMatch(/<html/i);
    },
  );

  it("is another for each request", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call("GET", "/v1/nothing")));
    expect(new Set(answers.map(({ headers }) => headers.get("svc-request-id"))).size).toBe(20);
  });

  it.each(["a".repeat(8), "A-9_z.".padEnd(64, "x"), "req_0000000000000000000000ff", "--------", "........"])(
    "comes back unchanged when the caller sends %s: 8 to 64 letters, digits, dots, dashes, underscores",
    async (id) => {
      const { headers } = await call("GET", "/v1/nothing", { headers: { "svc-request-id": id } });
      expect(headers.get("svc-request-id")).toBe(id);
    },
  );

  it.each([
    "a".repeat(7),
    "a".repeat(65),
    "",
    "with space",
    "slash/slash",
    "semi;colon",
    "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4",
    "<script>",
  ])("is ours when the caller sends %j", async (id) => {
    const { headers } = await call("GET", "/v1/nothing", { headers: { "svc-request-id": id } });
    expect(headers.get("svc-request-id")).toMatch(OUR_ID);
  });

  it("cannot be set by the front door's own header", async () => {
    const { headers } = await call("GET", "/v1/nothing", { headers: { "x-almanac-request-id": "from-outside" } });
    expect(headers.get("svc-request-id")).toMatch(OUR_ID);
  });
});

describe("401", () => {
  it.each([
    ["no Authorization", undefined],
    ["an empty one", ""],
    ["Bearer alone", "Bearer"],
    ["an empty token", "Bearer "],
    ["another scheme", "Basic eDp5"],
    ["no scheme", "at_0000000000000000000000000000000000000000000"],
    ["two words for the token", "Bearer at_a b"],
  ])("has error invalid_request for %s", async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    expectSignedOut(await call("GET", "/v1/account", { headers }), "invalid_request");
  });

  it.each(["undefined", "None", "null", "at_unknown", "x".repeat(501), "%00", "' OR 1=1 --".replaceAll(" ", "")])(
    "has error invalid_token for Bearer %s",
    async (token) => {
      const answer = await call("GET", "/v1/account", { headers: { authorization: `Bearer ${token}` } });
      expectSignedOut(answer, "invalid_token");
    },
  );

  it("has error invalid_token for a refresh token and for a client secret", async () => {
    const { refreshToken, application } = await openCalendar();
    expectSignedOut(await withToken("GET", "/v1/account", refreshToken), "invalid_token");
    expectSignedOut(await withToken("GET", "/v1/account", application.clientSecret), "invalid_token");
  });

  it("comes when the access token's 10800 seconds are over", async () => {
    const clock = fakeClock();
    const { accessToken } = await openCalendar();
    clock.advance(ACCESS_TOKEN_MS - 1);
    expect(await withToken("GET", "/v1/account", accessToken)).toMatchObject({ status: 200 });
    clock.advance(1);
    expectSignedOut(await withToken("GET", "/v1/account", accessToken), "invalid_token");
  });

  it("takes no token from the query or the body", async () => {
    const { accessToken, calendarId } = await openCalendar();
    expectSignedOut(await call("GET", `/v1/account?access_token=${accessToken}`), "invalid_request");
    const json = { ...event, access_token: accessToken };
    expectSignedOut(await call("POST", `/v1/calendars/${calendarId}/events`, { json }), "invalid_request");
  });

  it("reads the scheme in any case, as HTTP wants it", async () => {
    const { accessToken } = await openCalendar();
    for (const authorization of [`bearer ${accessToken}`, `BEARER   ${accessToken}`]) {
      expect(await call("GET", "/v1/account", { headers: { authorization } })).toMatchObject({ status: 200 });
    }
  });

  it("has no RateLimit headers", async () => {
    const { headers } = await call("GET", "/v1/account");
    expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });
});

describe("404", () => {
  it.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/account/x",
    "/v1/calendars/cal_x",
    "/v1/calendars/cal_x/events/y",
    "/v1/channels/chn_x/y",
    "/V1/account",
    "/v1/account.html",
    "/v2/account",
    "/oauth",
    "/oauth/token/x",
    "/v1/%zz",
    "/oauth/%ff",
    "/v1//account",
  ])("says that there is nothing at %s, to every method and whatever the caller accepts", async (path) => {
    for (const method of methods) {
      for (const accept of ["text/html", "application/json", "*/*"]) {
        const { status, headers, json } = await rawRequest({ method, target: path, headers: { accept } });
        expect([status, headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
        expect(headers.get("svc-request-id")).toMatch(OUR_ID);
        const body = { error: "not_found", description: expect.stringMatching(/\S/) };
        expect([method, json]).toEqual([method, method === "HEAD" ? undefined : body]);
      }
    }
  });

  it("is the answer to another customer's ids, as to ids the account does not have", async () => {
    const { post, remove } = await openCalendar();
    const stranger = await openCalendar();
    const paths = [stranger.calendarId, "cal_000000000000000000000000"].map((id) => `/v1/calendars/${id}/events`);
    const withoutCounts = (answer: ReturnType<typeof comparable>) => ({
      ...answer,
      headers: answer.headers.filter(([name]) => !name.startsWith("ratelimit")),
    });
    for (const send of [(path: string) => post(path, event), (path: string) => remove(path, { event_id: "1" })]) {
      const [others, nobodys] = await Promise.all(paths.map(send));
      if (!others || !nobodys) throw new Error("two answers were expected");
      expectEmpty(others, 404);
      expect(withoutCounts(comparable(others))).toEqual(withoutCounts(comparable(nobodys)));
    }
  });
});

describe("405", () => {
  it.each([
    ["/oauth/token", "POST"],
    ["/oauth/token/revoke", "POST"],
    ["/v1/application_calendars", "POST"],
    ["/v1/availability", "POST"],
    ["/v1/account", "GET, HEAD"],
    ["/v1/userinfo", "GET, HEAD"],
    ["/v1/profiles", "GET, HEAD"],
    ["/v1/calendars", "GET, HEAD"],
    ["/v1/events", "GET, HEAD, DELETE"],
    ["/v1/free_busy", "GET, HEAD"],
    ["/v1/calendars/cal_x/events", "POST, DELETE"],
    ["/v1/channels", "GET, HEAD, POST"],
    ["/v1/channels/chn_x", "DELETE"],
    ["/v1/link_tokens", "POST"],
    ["/oauth/authorize", "GET, HEAD, POST"],
  ])("is the empty answer to the methods that %s does not have, with Allow: %s", async (path, allow) => {
    const others = methods.filter((method) => !allow.split(", ").includes(method));
    for (const method of others) {
      const answer = await call(method, path, { headers: { accept: "text/html" } });
      expectEmpty(answer, 405);
      expect(answer.headers.get("allow")).toBe(allow);
      expect(answer.headers.get("content-type") ?? "none").not.toMatch(/html/);
    }
    for (const method of ["TRACE", "PROPFIND"]) {
      const answer = await rawRequest({ method, target: path });
      expectEmpty(answer, 405);
      expect(answer.headers.get("allow")).toBe(allow);
    }
  });
});

describe("HEAD", () => {
  it.each([
    "/v1/account",
    "/v1/userinfo",
    "/v1/profiles",
    "/v1/calendars",
    "/v1/channels",
    "/v1/events?tzid=Etc/UTC",
    "/v1/free_busy?tzid=Etc/UTC",
  ])("answers as GET %s does, without the body", async (path) => {
    const { accessToken } = await openCalendar();
    const answer = await withToken("HEAD", path, accessToken);
    expectEmpty(answer, 200);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("ratelimit-limit")).toBe("150");
    expectSignedOut(await call("HEAD", path), "invalid_request");
  });

  it("answers the mistakes of GET by status alone", async () => {
    const { accessToken } = await openCalendar();
    expectEmpty(await withToken("HEAD", "/v1/events", accessToken), 422);
  });
});

describe("a body where none is documented", () => {
  it.each([
    ["an object", "{}"],
    ["an array", "[]"],
    ["no JSON", "not JSON"],
    ["100,000 bytes", "x".repeat(100_000)],
  ])("is ignored: %s", async (_, body) => {
    const { accessToken } = await openCalendar();
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
    for (const target of ["/v1/account", "/v1/channels", "/v1/events?tzid=Etc/UTC"]) {
      expect(await rawRequest({ method: "GET", target, headers, body })).toMatchObject({ status: 200 });
    }
  });
});

describe("413", () => {
  const padded = (fields: object, bytes: number) => {
    const json = JSON.stringify({ ...fields, padding: "" });
    return json.replace('"padding":""', `"padding":"${"x".repeat(bytes - Buffer.byteLength(json))}"`);
  };
  const chunked = (text: string) => new Blob([text]).stream();

  it.each([
    ["/oauth/token", 400],
    ["/oauth/token/revoke", 400],
    ["/v1/application_calendars", 401],
  ])("is the empty answer to a body over 64 KiB on %s", async (path, otherwise) => {
    const fields = { client_id: "a", client_secret: "b", token: "c", grant_type: "d", application_calendar_id: "e" };
    const send = (body: BodyInit) => call("POST", path, { body, headers: { "content-type": "application/json" } });
    expect(await send(padded(fields, SMALL_BODY))).toMatchObject({ status: otherwise });
    expectEmpty(await send(padded(fields, SMALL_BODY + 1)), 413);
    expectEmpty(await send(chunked(padded(fields, SMALL_BODY + 1))), 413);
  });

  it.each(["POST", "DELETE"])("is the empty answer to a body over 16 MiB on %s of events", async (method) => {
    const { accessToken, calendarId } = await openCalendar();
    const headers = { authorization: `Bearer ${accessToken}`, "content-type": "application/json" };
    const send = (body: BodyInit) => call(method, `/v1/calendars/${calendarId}/events`, { body, headers });
    expectEmpty(await send(padded(event, EVENT_BODY)), 202);
    const over = await send(padded(event, EVENT_BODY + 1));
    expectEmpty(over, 413);
    expect(over.headers.get("ratelimit-limit")).toBe("150");
    expectEmpty(await send(chunked(padded(event, EVENT_BODY + 1))), 413);
  });

  it("comes after 401", async () => {
    const body = " ".repeat(EVENT_BODY + 1);
    expectSignedOut(await call("POST", "/v1/calendars/cal_x/events", { body }), "invalid_request");
  });
});

describe("the order of a request", () => {
  it("is credential, body, calendar: 401 before 422 before 404 and 403", async () => {
    const { accessToken, calendarIds } = await connectedWithTokens(await newApplication());
    const paths = ["cal_unknown", calendarIds.readonly].map((id) => `/v1/calendars/${id}/events`);
    for (const path of paths) {
      expectSignedOut(await call("POST", path, { body: "not JSON" }), "invalid_request");
      expectIssues(await withToken("POST", path, accessToken, []), { base: "errors.invalid_json" });
    }
    const statuses = await Promise.all(paths.map((path) => withToken("POST", path, accessToken, event)));
    expect(statuses.map(({ status }) => status)).toEqual([404, 403]);
  });
});

describe("5xx", () => {
  it("is empty and has a request id, when the database cannot be reached", async () => {
    const { accessToken } = await openCalendar();
    const reachable = db();
    const unreachable = connect("postgresql://almanac@127.0.0.1:1/none");
    context.database = unreachable;
    onTestFinished(async () => {
      context.database = reachable;
      await unreachable.close();
    });
    const answer = await withToken("GET", "/v1/account", accessToken);
    expectEmpty(answer, 503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.headers.get("svc-request-id")).toMatch(OUR_ID);
    context.database = reachable;
    expect(await withToken("GET", "/v1/account", accessToken)).toMatchObject({ status: 200 });
  });
});

describe("the request log", () => {
  beforeEach(newProcessServices);

  it("keeps method, path, query, status, duration, application, account, request id, address, headers and bodies", async () => {
    const { accessToken, accountId, calendarId, application } = await openCalendar();
    const id = newLogId();
    const path = `/v1/calendars/${calendarId}/events`;
    const answer = await call("POST", `${path}?tzid=Asia/Tokyo`, {
      json: { event_id: "1", start: "2026-11-21", notify_attendees: false, count: 5 },
      headers: { authorization: `Bearer ${accessToken}`, "svc-request-id": id, "user-agent": "Acme/1" },
    });
    expect(answer.status).toBe(422);
    expect(await loggedAs(id)).toEqual([
      {
        request_id: id,
        method: "POST",
        path,
        query: "tzid=Asia%2FTokyo",
        status: 422,
        application_id: await applicationId(application),
        account_id: accountId,
        address: "127.0.0.1",
        error_keys: ["errors.required"],
        days_kept: 30,
        timed: true,
        request_headers: expect.objectContaining({
          authorization: "[redacted]",
          "content-type": "application/json",
          "user-agent": "Acme/1",
        }),
        request_body: { event_id: "1", start: "2026-11-21", notify_attendees: false, count: 5 },
        response_headers: expect.objectContaining({ "svc-request-id": id, "ratelimit-limit": "150" }),
        response_body: {
          errors: {
            summary: [{ key: "errors.required", description: "summary is required" }],
            end: [{ key: "errors.required", description: "end is required" }],
          },
        },
      },
    ]);
  });

  it.each([
    [401, "GET", "/v1/account"],
    [404, "DELETE", "/v1/nothing"],
    [405, "PUT", "/v1/account"],
    [400, "POST", "/oauth/token"],
  ])("keeps requests of nobody too: %i %s %s", async (status, method, path) => {
    const id = newLogId();
    expect(await call(method, path, { headers: { "svc-request-id": id } })).toMatchObject({ status });
    expect(await loggedAs(id)).toMatchObject([{ method, path, status, application_id: null, account_id: null }]);
  });

  it("keeps each of two requests to which the caller gave one id", async () => {
    const id = newLogId();
    for (const path of ["/v1/first", "/v1/second"]) await call("GET", path, { headers: { "svc-request-id": id } });
    expect((await loggedAs(id)).map(({ path }) => path).sort()).toEqual(["/v1/first", "/v1/second"]);
  });

  it("names the application of right client credentials, and none of wrong ones", async () => {
    const application = await newApplication();
    const send = async (client_secret: string) => {
      const id = newLogId();
      const json = { ...credentialsOf(application), client_secret, application_calendar_id: "room" };
      await call("POST", "/v1/application_calendars", { json, headers: { "svc-request-id": id } });
      return loggedAs(id);
    };
    expect(await send(application.clientSecret)).toMatchObject([{ application_id: await applicationId(application) }]);
    expect(await send("wrong")).toMatchObject([{ status: 401, application_id: null }]);
  });

  it("names the application that asks with its own credentials, and no account", async () => {
    const { application, accountId, accessToken } = await openCalendar();
    const id = newLogId();
    const question = {
      participants: [{ members: [{ sub: accountId, note: "canary" }], required: "all" }],
      required_duration: { minutes: 30 },
      query_periods: [{ start: "2026-11-21T09:00:00Z", end: "2026-11-21T10:00:00Z" }],
      working_hours: [{ day: "monday", start: "09:00", end: "17:00" }],
      tzid: "Europe/Paris",
      response_format: "slots",
      tentative: "free",
    };
    for (const authorization of [
      basic(application).authorization,
      `Bearer ${application.clientSecret}`,
      `Bearer ${accessToken}`,
    ]) {
      const headers = { authorization, "svc-request-id": id };
      expect(await call("POST", "/v1/availability", { json: question, headers })).toMatchObject({ status: 200 });
    }
    const rows = await loggedAs(id);
    const seen = { application_id: await applicationId(application), error_keys: [] };
    expect(rows.filter((row) => row.account_id === null)).toMatchObject([seen, seen]);
    expect(rows.filter((row) => row.account_id === accountId)).toMatchObject([seen]);
    const [member] = question.participants[0]?.members ?? [];
    for (const row of rows) {
      expect(row.request_headers).toMatchObject({ authorization: "[redacted]" });
      expect(row.request_body).toEqual({
        ...question,
        participants: [{ members: [{ ...member, note: "[redacted]" }], required: "all" }],
      });
      expect(row.response_body).toMatchObject({ problems: [], as_of: { [accountId]: expect.stringMatching(/^2/) } });
    }
  });

  it("has [redacted] for every text of an event, in the request and in the answer", async () => {
    const { accessToken, calendarId } = await openCalendar();
    const word = `canary${newLogId().replaceAll("-", "")}`;
    const sentence = `The ${word} Sings`;
    const texts = {
      summary: word,
      description: word,
      location: { description: word },
      url: `https://${word}.io/`,
      reminders: [{ text: word }],
      note: word,
      organizer: { email: `${word}@acme.io`, display_name: word },
      color: word,
      "svc.note": word,
      // Fields that are kept, holding what does not look like them.
      event_id: sentence,
      participation_status: sentence,
      status: sentence,
      type: sentence,
      key: sentence,
      scope: sentence,
      created: sentence,
      tzid_note: sentence,
      ...{ reason: sentence, required: sentence, response_format: sentence, since: sentence, tentative: sentence },
      as_of: { [word]: word },
    };
    const path = `/v1/calendars/${calendarId}/events`;
    const times = { start: dayFromNow(1), end: dayFromNow(2) };
    const sent = [
      await logged("POST", path, accessToken, { ...texts, ...times }),
      await logged("POST", path, accessToken, { ...texts, start: sentence, tzid: sentence, transparency: sentence }),
      await logged("POST", path, accessToken, {
        ...texts,
        ...times,
        attendees: { invite: [{ email: `${word}@acme.io`, display_name: word }] },
        recurrence: { rules: [{ frequency: sentence }], exceptions: { change: [{ date: sentence, summary: word }] } },
      }),
      await logged("DELETE", path, accessToken, { ...texts, occurrence_date: sentence }),
      await logged("GET", "/v1/events?tzid=Etc/UTC&include_managed=1", accessToken),
      await logged("GET", `/v1/events?tzid=${sentence}&from=${sentence}&note=${word}&cursor=${sentence}`, accessToken),
    ];
    expect(sent.map(({ status }) => status)).toEqual([202, 422, 422, 422, 200, 422]);
    for (const { rows } of sent) {
      expect(rows).toHaveLength(1);
      expect(rows[0]).toContain("[redacted]");
      expect(rows[0]).not.toContain(word);
    }
  });

  it("has [redacted] for every token and credential, wherever it stands", async () => {
    const application = await newApplication();
    const account = await connectAccount(application);
    const verifier = "v".repeat(43);
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const code = await issueCode(application, account, { challenge });
    const credentials = credentialsOf(application);
    const exchanged = { ...credentials, grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const opened = { ...credentials, application_calendar_id: "room" };
    const ids = Array.from({ length: 7 }, newLogId);
    const as = (i: number) => ({ "svc-request-id": ids[i] ?? "" });
    const first = await call("POST", "/oauth/token", {
      json: { ...exchanged, code_verifier: verifier },
      headers: as(0),
    });
    const { access_token, refresh_token } = first.json;
    const refreshed = { ...credentials, grant_type: "refresh_token", refresh_token };
    const second = await call("POST", "/oauth/token", { form: refreshed, headers: as(1) });
    const third = await call("POST", "/v1/application_calendars", { json: opened, headers: as(2) });
    const authorization = `Bearer ${access_token}`;
    const headers = { authorization, cookie: `session=${access_token}`, "x-api-key": access_token, from: access_token };
    await call("GET", `/v1/account?access_token=${access_token}&tzid=${access_token}`, {
      headers: { ...headers, ...as(3) },
    });
    await call("GET", `/v1/${access_token}`, { headers: { ...headers, "user-agent": access_token, ...as(4) } });
    const misplaced = { event_id: access_token, [access_token]: 1, calendar_id: refresh_token };
    const path = `/v1/calendars/${account.calendarIds.writable}/events`;
    await call("DELETE", path, { json: misplaced, headers: { authorization, ...as(5) } });
    await call("POST", "/oauth/token/revoke", { json: { ...credentials, token: access_token }, headers: as(6) });
    const secrets = [application.clientSecret, code, verifier, access_token, refresh_token];
    secrets.push(second.json.access_token, third.json.access_token, third.json.refresh_token);
    const rows = (await loggedRequests({ requestIds: ids })).map(({ text }) => text);
    expect(rows).toHaveLength(7);
    for (const row of rows) {
      expect(row).toContain("[redacted]");
      for (const secret of secrets) expect(row).not.toContain(secret);
    }
  });

  it("does not keep a token that was sent as a request id", async () => {
    const { accessToken } = await openCalendar();
    const path = `/v1/${newLogId()}`;
    const { headers } = await call("GET", path, { headers: { "svc-request-id": accessToken } });
    expect(headers.get("svc-request-id")).toBe(accessToken);
    const rows = await loggedRequests({ path });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.text).not.toContain(accessToken);
  });

  it("keeps the beginning of a body over 16 KB", async () => {
    const { accessToken, calendarId } = await openCalendar();
    const id = newLogId();
    const json = { ...event, event_id: "long", ids: Array.from({ length: 5_000 }, (_, i) => i) };
    const headers = { authorization: `Bearer ${accessToken}`, "svc-request-id": id };
    await call("POST", `/v1/calendars/${calendarId}/events`, { json, headers });
    const [row] = await loggedAs(id);
    expect(row?.request_body).toMatchObject({ truncated: true, body: { event_id: "long", summary: "[redacted]" } });
  });
});

describe("request log retention", () => {
  it.each([
    ["30 days on the standard plan", "standard", 30],
    ["7 days on the Developer plan", "developer", 7],
  ] as const)("is %s", async (_, plan, days) => {
    const { accessToken } = await openCalendar(await newApplication({ plan }));
    const id = newLogId();
    const headers = { authorization: `Bearer ${accessToken}`, "svc-request-id": id };
    await call("GET", "/v1/account", { headers });
    expect(await loggedAs(id)).toMatchObject([{ status: 200, days_kept: days }]);
  });
});

function newLogId(): string {
  return `test-${randomUUID()}`;
}

async function loggedAs(requestId: string) {
  return (await loggedRequests(requestId)).map(({ at, expiresOn, durationMs, ...row }) => ({
    request_id: row.requestId,
    ...{ method: row.method, path: row.path, query: row.query, status: row.status, address: row.address },
    ...{ application_id: row.applicationId, account_id: row.accountId, error_keys: row.errorKeys },
    ...{ request_headers: row.requestHeaders, request_body: row.requestBody },
    ...{ response_headers: row.responseHeaders, response_body: row.responseBody },
    ...{ days_kept: Math.ceil((expiresOn.getTime() - at.getTime()) / 86_400_000), timed: durationMs >= 0 },
  }));
}

async function logged(method: string, path: string, accessToken: string, json?: unknown) {
  const id = newLogId();
  const headers = { authorization: `Bearer ${accessToken}`, "svc-request-id": id };
  const { status } = await call(method, path, { json, headers });
  return { status, rows: (await loggedRequests(id)).map(({ text }) => text) };
}
