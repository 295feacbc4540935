import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loggedRequests } from "../fakes/stored-traffic";
import { dayFromNow } from "./dates";
import { credentialsOf } from "./grants";
import { call, newApplication, openCalendar } from "./service";

const CANARY = "The canary quoll sings!";

const meeting = {
  event_id: "1",
  summary: "Dinner",
  description: "With Ann",
  start: { time: `${dayFromNow(1)}T09:00:00Z`, tzid: "Etc/UTC" },
  end: `${dayFromNow(1)}T10:00:00Z`,
  tzid: "Etc/UTC",
  location: { description: "Rome" },
  url: "https://acme.io/",
  transparency: "opaque",
  reminders: [{ minutes: 5 }],
  notify_attendees: false,
  attendees: { invite: [{ email: "a@acme.io", display_name: "Ann" }], remove: [{ email: "b@acme.io" }] },
  recurrence: {
    rules: [{ frequency: "weekly", interval: 1, until: dayFromNow(60), count: 3, by_day: [{ day: "monday" }] }],
    exceptions: { add: [{ date: dayFromNow(8) }], change: [{ date: dayFromNow(15), summary: "Lunch" }] },
  },
};

type JsonPath = (string | number)[];

/** Where every value of a body stands, objects and lists included. */
function pathsOf(value: unknown, path: JsonPath = []): JsonPath[] {
  const own = path.length === 0 ? [] : [path];
  if (typeof value !== "object" || value === null) return own;
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [...own, ...inside.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function replaced(body: object, [first = "", ...rest]: JsonPath, value: unknown): object {
  const inside = rest.length === 0 ? value : replaced(Reflect.get(body, first), rest, value);
  return Array.isArray(body) ? body.with(Number(first), inside) : { ...body, [first]: inside };
}

const newLogId = () => `test-${randomUUID()}`;

describe("what was answered", () => {
  it("is in the log with the sentence of an OAuth answer", async () => {
    const application = await newApplication();
    const id = newLogId();
    const json = { ...credentialsOf(application), grant_type: "refresh_token", refresh_token: "unknown" };
    const refused = await call("POST", "/oauth/token", { json, headers: { "svc-request-id": id } });
    expect(refused.json.error_description).toMatch(/refresh token/);
    expect(await loggedRequests(id)).toMatchObject([{ responseBody: refused.json }]);
  });

  it("is in the log with a sentence in plain text", async () => {
    const { accessToken } = await openCalendar(await newApplication({ compatibilityMode: true }));
    const id = newLogId();
    const headers = { authorization: `Bearer ${accessToken}`, "svc-request-id": id };
    expect(await call("GET", "/v1/account", { headers })).toMatchObject({ status: 403 });
    expect(await loggedRequests(id)).toMatchObject([{ responseBody: "Not available for application calendars" }]);
  });

  it("quotes no name that the caller made up", async () => {
    const id = newLogId();
    const form = { ...credentialsOf(await newApplication()), [CANARY]: "\u0000" };
    const refused = await call("POST", "/oauth/token", { form, headers: { "svc-request-id": id } });
    expect(refused.json).toMatchObject({ error: "invalid_request" });
    expect(refused.text).toContain("A field contains a character that cannot be stored");
    expect(refused.text).not.toContain("canary");
    expect(await loggedRequests(id)).toMatchObject([{ requestBody: null, responseBody: null }]);
  });

  it("has where a callback URL leads, without its query", async () => {
    const { accessToken } = await openCalendar();
    const id = newLogId();
    const json = { callback_url: "https://hooks.example.com/almanac?key=canaryquoll", filters: { calendar_ids: "no" } };
    const headers = { authorization: `Bearer ${accessToken}`, "svc-request-id": id };
    expect(await call("POST", "/v1/channels", { json, headers })).toMatchObject({ status: 422 });
    const [row] = await loggedRequests(id);
    expect(row?.requestBody).toMatchObject({ callback_url: "https://hooks.example.com/almanac?[redacted]" });
    expect(row?.text).not.toContain("canaryquoll");
  });

  it("never holds event text, in whichever field of an event it is the mistake", async () => {
    const { accessToken, calendarId } = await openCalendar();
    const id = newLogId();
    const headers = { authorization: `Bearer ${accessToken}`, "svc-request-id": id };
    const broken = pathsOf(meeting).flatMap((path) =>
      [CANARY, [CANARY], { [path.at(-1) ?? ""]: CANARY }].map((value) => replaced(meeting, path, value)),
    );
    for (const json of broken) await call("POST", `/v1/calendars/${calendarId}/events`, { json, headers });
    const rows = await loggedRequests(id);
    expect(rows).toHaveLength(broken.length);
    for (const { text } of rows) expect(text).not.toMatch(/canary|quoll/);
    expect(rows.filter(({ text }) => /must|is not/.test(text)).length).toBeGreaterThan(60);
  });

  it("never holds event text, whatever the mistakes in a body are", async () => {
    const { accessToken, calendarId } = await openCalendar();
    const id = newLogId();
    const headers = { authorization: `Bearer ${accessToken}`, "svc-request-id": id };
    const text = fc.constantFrom(CANARY, `${CANARY}\u0000`, CANARY.repeat(400), `${CANARY}\ud800`);
    const fields =
      "event_id summary description start end tzid location url transparency attendees invite remove email display_name recurrence rules frequency until by_day day interval exceptions add change date time reminders";
    const { body } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.array(tie("value"), { maxLength: 2 }), tie("body")),
      body: fc.dictionary(fc.constantFrom(...fields.split(" ")), tie("value"), { maxKeys: 8 }),
    }));
    const sound = { event_id: "1", summary: CANARY, start: dayFromNow(1), end: dayFromNow(2) };
    const path = `/v1/calendars/${calendarId}/events`;
    const sent = fc.asyncProperty(body, fc.constantFrom("POST", "DELETE"), async (made, method) => {
      for (const json of [made, { ...sound, ...(made as object) }]) await call(method, path, { json, headers });
    });
    await fc.assert(sent, { numRuns: 50 });
    const rows = await loggedRequests(id);
    expect(rows.length).toBe(100);
    for (const { text } of rows) expect(text).not.toMatch(/canary|quoll/);
    expect(rows.filter(({ text }) => /must|required/.test(text)).length).toBeGreaterThan(20);
  });
});

describe("what is no request to the API", () => {
  it.each(["/Dashboard", "/api/auth/signin", "/docs/nothing", "/v10", "/"])("is not in the log: %s", async (path) => {
    const id = newLogId();
    await call("GET", path, { headers: { "svc-request-id": id } });
    expect(await loggedRequests(id)).toEqual([]);
  });

  it.each(["/v1/nothing", "/oauth/nothing", "/v1"])("but a wrong address below its own is: %s", async (path) => {
    const id = newLogId();
    expect(await call("GET", path, { headers: { "svc-request-id": id } })).toMatchObject({ status: 404 });
    expect(await loggedRequests(id)).toHaveLength(1);
  });
});
