import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../fakes/clock";
import { dayFromNow } from "./dates";
import { connectAccount, credentialsOf, issueCode, REDIRECT_URI } from "./grants";
import { expectEmpty, expectOAuthError, expectWellFormed422 } from "./responses";
import { type ApiResponse, call, type Opened, openCalendar } from "./service";
import { storedRows } from "./stored-rows";

interface WriteEndpoint {
  method: string;
  path: string;
  /** A body that is taken. */
  body: Record<string, unknown>;
  headers: Record<string, string>;
  /** The bytes that are too many. */
  limit: number;
  form: boolean;
}

const DAY = dayFromNow(10);
const SMALL_BODY = 64 * 1024;
const EVENT_BODY = 16 * 1024 * 1024;

const endpoints: Record<string, (opened: Opened, code: string) => WriteEndpoint> = {
  "POST /oauth/token with a code": ({ application }, code) => ({
    method: "POST",
    path: "/oauth/token",
    body: { ...credentialsOf(application), grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI },
    headers: {},
    limit: SMALL_BODY,
    form: true,
  }),
  "POST /oauth/token with a refresh token": ({ application, refreshToken }) => ({
    method: "POST",
    path: "/oauth/token",
    body: { ...credentialsOf(application), grant_type: "refresh_token", refresh_token: refreshToken },
    headers: {},
    limit: SMALL_BODY,
    form: true,
  }),
  "POST /oauth/token/revoke": ({ application, accessToken }) => ({
    method: "POST",
    path: "/oauth/token/revoke",
    body: { ...credentialsOf(application), token: accessToken },
    headers: {},
    limit: SMALL_BODY,
    form: true,
  }),
  "POST /v1/application_calendars": ({ application }) => ({
    method: "POST",
    path: "/v1/application_calendars",
    body: { ...credentialsOf(application), application_calendar_id: "another room" },
    headers: {},
    limit: SMALL_BODY,
    form: true,
  }),
  "POST /v1/calendars/{calendar_id}/events": ({ calendarId, accessToken }) => ({
    method: "POST",
    path: `/v1/calendars/${calendarId}/events`,
    body: { event_id: "1", summary: "Changed", start: DAY, end: DAY },
    headers: { authorization: `Bearer ${accessToken}` },
    limit: EVENT_BODY,
    form: false,
  }),
  "DELETE /v1/calendars/{calendar_id}/events": ({ calendarId, accessToken }) => ({
    method: "DELETE",
    path: `/v1/calendars/${calendarId}/events`,
    body: { event_id: "1" },
    headers: { authorization: `Bearer ${accessToken}` },
    limit: EVENT_BODY,
    form: false,
  }),
  "POST /v1/channels": ({ accessToken }) => ({
    method: "POST",
    path: "/v1/channels",
    body: { callback_url: "https://hooks.acme.io/cb" },
    headers: { authorization: `Bearer ${accessToken}` },
    limit: SMALL_BODY,
    form: false,
  }),
};

const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}${"]}".repeat(depth / 2)}`;

const unreadable: [string, BodyInit][] = [
  ["nothing", ""],
  ["a space", " "],
  ["no JSON", "event_id: 1"],
  ["the beginning of an object", '{"event_id": "1'],
  ["more after the object", "{} {}"],
  ["a comma too many", '{"event_id": "1",}'],
  ["single quotes", "{'event_id': '1'}"],
  ["a comment", '{} // "1"'],
  ["NaN", '{"event_id": NaN}'],
  ["a raw control character", '{"event_id": "\n"}'],
  ["null", "null"],
  ["a number", "5"],
  ["a string", '"{}"'],
  ["true", "true"],
  ["an array", "[]"],
  ["an array of objects", '[{"event_id": "1"}]'],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ["UTF-16", Buffer.from('{"event_id":"1"}', "utf16le")],
  ["nesting of 200 levels", nested(200)],
  ["nesting of 10,000 levels", nested(10_000)],
  ["20,000 opened brackets", "[".repeat(20_000)],
];

const faultyTexts = ["\u0000", "before\u0000after", "\ud800", "after \udfff", "\udc00\ud83d"];
const wrongTypes = [null, true, 5, 1e300, [], ["x"], {}, { a: 1 }, JSON.parse(nested(30))];

describe.each(Object.entries(endpoints))("%s", (_, describeEndpoint) => {
  const isOAuth = describeEndpoint({ application: {} } as Opened, "").path.startsWith("/oauth");

  /** A calendar with an event and an unused code, and what this endpoint takes there. */
  async function prepare() {
    const clock = fakeClock();
    const opened = await openCalendar();
    await opened.write({ event_id: "1", summary: "As it was", start: DAY, end: DAY });
    const code = await issueCode(opened.application, await connectAccount(opened.application));
    const endpoint = describeEndpoint(opened, code);
    const send = (body: BodyInit, headers: Record<string, string> = {}): Promise<ApiResponse> => {
      clock.advance(1_000); // no rate limit shall come in between
      const type = { "content-type": "application/json" };
      return call(endpoint.method, endpoint.path, { body, headers: { ...type, ...endpoint.headers, ...headers } });
    };
    const sendFields = (fields: object) => send(JSON.stringify({ ...endpoint.body, ...fields }));
    const rows = () => storedRows(opened.application);
    return { endpoint, send, sendFields, rows };
  }

  function expectRefused(answer: ApiResponse, what: unknown): void {
    expect([what, answer.status]).toEqual([what, isOAuth ? 400 : 422]);
    if (isOAuth) expectOAuthError(answer, "invalid_request");
    else expectWellFormed422(answer);
  }

  it("takes the body of which all the bad ones are made", async () => {
    const { sendFields, rows } = await prepare();
    const before = await rows();
    expect([200, 202]).toContain((await sendFields({})).status);
    expect(await rows()).not.toEqual(before);
  });

  it("refuses a body that is no JSON object", async () => {
    const { send, rows } = await prepare();
    const before = await rows();
    for (const [what, body] of unreadable) {
      const answer = await send(body);
      expectRefused(answer, what);
      if (!isOAuth) expect(Object.keys(answer.json.errors)).toEqual(["base"]);
      if (!isOAuth) expect(answer.json.errors.base[0].key).toBe("errors.invalid_json");
    }
    expect(await rows()).toEqual(before);
  });

  it("refuses a content type that is not documented, and takes those that are", async () => {
    const { endpoint, send, rows } = await prepare();
    const before = await rows();
    const form = endpoint.form ? [] : ["application/x-www-form-urlencoded"];
    const others = ["text/plain", "text/html", "application/xml", "multipart/form-data; boundary=x", "json", "*/*"];
    for (const type of [...others, ...form, "application/jsonp", "application/json, text/plain"]) {
      expectRefused(await send(JSON.stringify(endpoint.body), { "content-type": type }), type);
    }
    expect(await rows()).toEqual(before);
    const type = "Application/JSON; charset=UTF-8";
    expect([200, 202]).toContain((await send(JSON.stringify(endpoint.body), { "content-type": type })).status);
  });

  it("refuses wrong types in each of its fields", async () => {
    const { endpoint, sendFields, rows } = await prepare();
    const before = await rows();
    for (const field of Object.keys(endpoint.body)) {
      for (const value of wrongTypes) expectRefused(await sendFields({ [field]: value }), [field, value]);
    }
    expect(await rows()).toEqual(before);
  });

  it("refuses each missing field, and an empty object", async () => {
    const { endpoint, send, sendFields, rows } = await prepare();
    const before = await rows();
    expectRefused(await send("{}"), "{}");
    for (const field of Object.keys(endpoint.body)) {
      expectRefused(await sendFields({ [field]: undefined }), field);
    }
    expect(await rows()).toEqual(before);
  });

  it("refuses U+0000 and lone surrogates in any string, known or not: errors.invalid on the field", async () => {
    const { endpoint, sendFields, rows } = await prepare();
    const before = await rows();
    for (const text of faultyTexts) {
      for (const field of Object.keys(endpoint.body)) {
        const answer = await sendFields({ [field]: text });
        expectRefused(answer, [field, text]);
        if (!isOAuth)
          expect(answer.json.errors[field]).toContainEqual(expect.objectContaining({ key: "errors.invalid" }));
      }
      const deep = await sendFields({ unknown: { deep: ["x", text] } });
      expectRefused(deep, text);
      if (!isOAuth) expect(Object.keys(deep.json.errors)).toEqual(["unknown.deep[1]"]);
    }
    expect(await rows()).toEqual(before);
  });

  it("takes 30 levels of nesting in a field that it does not know", async () => {
    const { sendFields } = await prepare();
    expect([200, 202]).toContain((await sendFields({ unknown: JSON.parse(nested(30)) })).status);
  });

  it("answers 413 to a body over its limit, whatever is in it", async () => {
    const { endpoint, send, rows } = await prepare();
    const before = await rows();
    const padding = "x".repeat(endpoint.limit + 1);
    expectEmpty(await send(JSON.stringify({ ...endpoint.body, padding })), 413);
    expectEmpty(await send(padding), 413);
    expect(await rows()).toEqual(before);
  });

  it("lets the last of duplicate keys count", async () => {
    const { endpoint, send, rows } = await prepare();
    const before = await rows();
    const valid = JSON.stringify(endpoint.body).slice(1, -1);
    for (const field of Object.keys(endpoint.body)) {
      expectRefused(await send(`{${valid}, "${field}": 5}`), field);
    }
    expect(await rows()).toEqual(before);
    const invalid = JSON.stringify(Object.fromEntries(Object.keys(endpoint.body).map((field) => [field, 5]))).slice(
      1,
      -1,
    );
    expect([200, 202]).toContain((await send(`{${invalid}, ${valid}}`)).status);
  });

  it("takes nothing from __proto__, and nothing is polluted by it", async () => {
    const { endpoint, send, rows } = await prepare();
    const before = await rows();
    const valid = JSON.stringify(endpoint.body);
    for (const key of ["__proto__", "\\u005f_proto__", "constructor", "prototype"]) {
      expectRefused(await send(`{"${key}": ${valid}}`), key);
      expectRefused(await send(`{"${key}": {"prototype": ${valid}, "__proto__": ${valid}}}`), key);
    }
    expect(await rows()).toEqual(before);
    const noise = `"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "toString": null`;
    expect([200, 202]).toContain((await send(`{${noise}, ${valid.slice(1)}`)).status);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("never answers 5xx, whatever stands in its fields, and writes nothing when it refuses", async () => {
    const { endpoint, send, rows } = await prepare();
    const fields = [...Object.keys(endpoint.body), "tzid", "location", "url", "filters", "occurrence_date"];
    const value = fc.oneof(
      fc.constantFrom(
        ...faultyTexts,
        ...wrongTypes,
        "",
        "x".repeat(3_000),
        `${DAY}T24:00:00Z`,
        "2026-02-30",
        "US/Pacific",
      ),
      fc.jsonValue({ maxDepth: 3 }),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    const body = fc.uniqueArray(fc.tuple(fc.constantFrom(...fields), value), {
      minLength: 1,
      maxLength: 4,
      selector: ([f]) => f,
    });
    await fc.assert(
      fc.asyncProperty(body, async (changes) => {
        const before = await rows();
        const answer = await send(JSON.stringify({ ...endpoint.body, ...Object.fromEntries(changes) }));
        expect([200, 202, 400, 401, 422]).toContain(answer.status);
        if (answer.status === 400) expectOAuthError(answer);
        if (answer.status === 422) expectWellFormed422(answer);
        // Other refusals say that the body was read: a code that is used again may revoke its grant.
        if (answer.status !== 422 && answer.json?.error !== "invalid_request") return;
        expect(await rows()).toEqual(before);
      }),
      { numRuns: 30 },
    );
  });
});

describe.each(Object.entries(endpoints).slice(0, 4))("%s as a form", (name, describeEndpoint) => {
  const isOAuth = name.includes("/oauth/");

  async function prepare() {
    const opened = await openCalendar();
    const code = await issueCode(opened.application, await connectAccount(opened.application));
    const endpoint = describeEndpoint(opened, code);
    const send = (body: BodyInit) =>
      call("POST", endpoint.path, { body, headers: { "content-type": "application/x-www-form-urlencoded" } });
    const valid = new URLSearchParams(endpoint.body as Record<string, string>).toString();
    return { endpoint, send, valid, rows: () => storedRows(opened.application) };
  }

  it("refuses what cannot be read or stored", async () => {
    const { endpoint, send, valid, rows } = await prepare();
    const before = await rows();
    const last = Object.keys(endpoint.body).at(-1) ?? "";
    const bodies = ["", "&&&", "=", "not a form", "__proto__=x", "%", valid.replace(`${last}=`, `${last}[]=`)];
    const faulty = [
      `${valid}&${last}=%00`,
      `${valid}&${last}=%ff`,
      `${valid}&other=a%00b`,
      Buffer.from([0xff, 0x3d, 0x31]),
    ];
    for (const body of [...bodies, ...faulty, JSON.stringify(endpoint.body)]) {
      const answer = await send(body);
      expect([body, answer.status]).toEqual([body, isOAuth ? 400 : 422]);
      if (isOAuth) expectOAuthError(answer, "invalid_request");
      else expectWellFormed422(answer);
    }
    expect(await rows()).toEqual(before);
  });

  it("takes it with a charset, with a lone % and unknown fields, and lets the last of duplicate keys count", async () => {
    const { endpoint, valid } = await prepare();
    const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
    const body = `client_secret=wrong&other=100%&__proto__=x&${valid}`;
    expect(await call("POST", endpoint.path, { body, headers })).toMatchObject({ status: 200 });
  });
});

describe("time zones that are aliases", () => {
  it.each(["US/Pacific", "Asia/Calcutta", "Europe/Kiev", "GB", "Etc/GMT+5", "UTC", "utc", "Etc/UTC"])(
    "%s is taken",
    async (tzid) => {
      const { post, calendarId } = await openCalendar();
      const body = {
        event_id: "1",
        summary: "s",
        start: { time: `${DAY}T09:00:00`, tzid },
        end: `${dayFromNow(12)}T09:00:00Z`,
        tzid,
      };
      expectEmpty(await post(`/v1/calendars/${calendarId}/events`, body), 202);
    },
  );
});
