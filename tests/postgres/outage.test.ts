import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CutLine, cutLine } from "@/tests/fakes/cut-line";
import { freePort } from "@/tests/fakes/free-port";
import { type TestDatabase, testDatabase } from "@/tests/fakes/test-database";
import { signInFrom } from "@/tests/rig/sign-in";
import { until } from "@/tests/rig/until";
import { killAll, type Service, start } from "@/tests/start/service";

const client = { client_id: "outage", client_secret: "a secret of the outage test" };
const redirect_uri = "https://app.acme.io/callback";
const operator = { email: "ada@almanac.test", password: "correct-horse-battery" };
const folder = mkdtempSync(join(tmpdir(), "almanac-outage-"));

let metrics: string;
let database: TestDatabase;
let line: CutLine;
let service: Service;
let token: string;
let calendar: string;
let cookie: string;

beforeAll(async () => {
  database = await testDatabase();
  line = await cutLine(database.url);
  const metricsPort = String(await freePort());
  metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  service = await start({
    DATABASE_URL: line.url,
    DATA_DIR: folder,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    METRICS_PORT: metricsPort,
    ADMIN_EMAIL: operator.email,
    ADMIN_PASSWORD: operator.password,
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Outage", ...client, redirect_uris: [redirect_uri] }]),
  });
  const opened = await post("/v1/application_calendars", { ...client, application_calendar_id: "one" });
  token = ((await opened.json()) as { access_token: string }).access_token;
  const listed = await fetch(`${service.origin}/v1/calendars`, { headers: bearer() });
  calendar = ((await listed.json()) as { calendars: [{ calendar_id: string }] }).calendars[0].calendar_id;
  const signedIn = await signInFrom("127.0.0.1", service.origin, operator);
  cookie = signedIn.cookies.map((one) => one.split(";", 1)[0]).join("; ");
  expect((await staff("/dashboard")).status).toBe(200);
}, 600_000);

afterAll(async () => {
  killAll();
  await line.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const bearer = () => ({ authorization: `Bearer ${token}` });
const post = (path: string, json: object, headers: Record<string, string> = {}) => ask("POST", path, { json, headers });
const staff = (path: string) => ask("GET", path, { headers: { cookie, accept: "text/html" } });

function ask(method: string, path: string, { json, headers = {} }: { json?: object; headers?: object } = {}) {
  return fetch(service.origin + path, {
    method,
    headers: { ...(json && { "content-type": "application/json" }), ...headers },
    body: json && JSON.stringify(json),
    redirect: "manual",
  });
}

const event = { event_id: "e", summary: "S", start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z" };
const token_body = { ...client, grant_type: "refresh_token", refresh_token: "x" };
const tzid = "tzid=Etc/UTC";

/** Everything that needs the database, with what it would be answered otherwise. */
const calls: [string, string, object?][] = [
  ["GET", "/v1/account"],
  ["GET", "/v1/userinfo"],
  ["GET", "/v1/profiles"],
  ["GET", "/v1/calendars"],
  ["GET", `/v1/events?${tzid}`],
  ["GET", `/v1/free_busy?${tzid}`],
  ["GET", "/v1/channels"],
  ["POST", "/v1/channels", { callback_url: "https://hooks.acme.io/x" }],
  ["DELETE", "/v1/channels/chn_x"],
  ["POST", "/v1/link_tokens"],
  ["POST", "/v1/calendars/{calendar}/events", event],
  ["DELETE", "/v1/calendars/{calendar}/events", { event_id: "e" }],
  ["POST", "/v1/calendars/{calendar}/events/occurrences", { event_id: "e", occurrence_date: "2026-12-01" }],
  ["POST", "/v1/application_calendars", { ...client, application_calendar_id: "two" }],
  ["POST", "/oauth/token", token_body],
  ["POST", "/oauth/token", { ...client, grant_type: "authorization_code", code: "x", redirect_uri }],
  ["POST", "/oauth/token/revoke", { ...client, token: "x" }],
  ["GET", `/logos/${"a".repeat(32)}.png`],
];
const pages = [
  `/oauth/authorize?response_type=code&client_id=${client.client_id}&redirect_uri=${encodeURIComponent(redirect_uri)}&state=s`,
  "/dashboard",
  "/dashboard/deliveries",
  "/dashboard/accounts",
  "/dashboard/applications",
  "/dashboard/settings/team",
  "/dashboard/providers",
  "/dashboard/requests",
  "/dashboard/sign-in",
  "/dashboard/invitation?token=inv_x",
];

/** The samples of a scrape that name readiness and the reading of queues. */
async function samples(): Promise<Record<string, number>> {
  const text = await (await fetch(metrics)).text();
  const found = text.matchAll(/^(almanac_(?:ready|not_ready|queue_scrape_ok)\S*) (\d)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]));
}

const logged = () =>
  service
    .stderr()
    .split("\n")
    .filter((one) => one.startsWith("{"))
    .map((one) => JSON.parse(one) as { module?: string; msg: string });

describe("while the database is away", () => {
  beforeAll(async () => {
    await line.cut();
    // Idle connections have ended by then.
    const isReady = async () => (await ask("GET", "/health/ready")).ok;
    await until(async () => !(await isReady()), { within: 60_000, what: "the outage" });
  });

  it.each(calls)("%s %s is 503 with Retry-After and an empty body", async (method, path, json) => {
    const response = await ask(method, path.replace("{calendar}", calendar), { json, headers: bearer() });
    expect(await response.text()).toBe("");
    expect({ status: response.status, wait: response.headers.get("retry-after") }).toEqual({ status: 503, wait: "5" });
    expect(response.headers.get("content-type")).toBeNull();
  });

  it.each(pages)("%s is a page that says so, with 503 and Retry-After", async (path) => {
    const response = await staff(path);
    const text = await response.text();
    expect({ status: response.status, wait: response.headers.get("retry-after") }).toEqual({ status: 503, wait: "5" });
    expect(response.headers.get("content-type")).toMatch(/^text\/html/);
    expect(text).toMatch(/<h1[^>]*>/);
  });

  it("metrics say what /health/ready says, and why", async () => {
    const ready = async () => {
      const response = await ask("GET", "/health/ready");
      return [response.status, await response.json()];
    };
    // On a busy machine the process may have been held up a moment ago, which is the first reason to say.
    const away = { status: "not ready", reason: "The database can't be reached" };
    await expect.poll(ready).toMatchObject([503, away]);
    expect(await samples()).toMatchObject({
      almanac_ready: 0,
      'almanac_not_ready{reason="database_away"}': 1,
      'almanac_not_ready{reason="shutting_down"}': 0,
      almanac_queue_scrape_ok: 0,
    });
  });

  it("calls of the dashboard's own scripts are 503 too", async () => {
    const headers = { cookie, "x-trpc-source": "test", "sec-fetch-site": "same-origin" };
    for (const path of ["/api/trpc/overview.show", "/api/graphql?query={__typename}"]) {
      const response = await ask("GET", path, { headers: { ...headers, "content-type": "application/json" } });
      expect({ path, status: response.status, wait: response.headers.get("retry-after") }).toEqual({
        ...{ path, status: 503, wait: "5" },
      });
    }
  });
});

describe("in the log", () => {
  it("an outage is one line when it begins and one when it ends, and none for a request", async () => {
    await line.restore();
    await expect.poll(async () => (await ask("GET", "/v1/account", { headers: bearer() })).status).toBe(200);
    await expect.poll(samples, { timeout: 30_000 }).toMatchObject({ almanac_ready: 1, almanac_queue_scrape_ok: 1 });
    const lines = logged();
    expect(lines.filter(({ module }) => module === "database").map(({ msg }) => msg)).toEqual([
      "the database can't be reached: requests are answered 503, and jobs wait",
      "the database can be reached again",
    ]);
    // Other modules say once what they do in the meantime; a request that failed would be one of http, of next or of the front door.
    expect(lines.filter(({ msg }) => msg.endsWith(" failed"))).toEqual([]);
    expect(new Set(lines.map(({ msg }) => msg)).size).toBe(lines.length);
    const others = service
      .stderr()
      .split("\n")
      .filter((one) => one !== "" && !one.startsWith("{"));
    expect(others).toEqual([]);
  });
});
