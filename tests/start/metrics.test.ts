import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alertRules } from "@/server/observability/alert-rules";
import { dashboardQueries } from "@/server/observability/dashboard";
import { objectives, WEBHOOK_WITHIN_S } from "@/server/observability/objectives";
import { freePort } from "@/tests/fakes/free-port";
import { queriedMetrics, scrapedLabels } from "@/tests/fakes/queried-metrics";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { killAll, type Service, start } from "@/tests/start/service";

const folder = mkdtempSync(join(tmpdir(), "almanac-metrics-"));
const client = { client_id: "metrics", client_secret: "a secret of the metrics test" };
let receiver: Receiver;
let service: Service;
let origin: string;
let token: string;
let account: string;
let calendar: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  service = await start({
    DATA_DIR: folder,
    METRICS_PORT: String(port),
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Metrics", ...client }]),
  });
  const opened = await api("POST", "/v1/application_calendars", { ...client, application_calendar_id: "one" });
  token = opened.access_token;
  account = opened.sub;
  calendar = (await api("GET", "/v1/calendars")).calendars[0].calendar_id;
});

afterAll(async () => {
  killAll();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
async function api(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(service.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return await response.json().catch(() => null);
}

const scrape = async () => await (await fetch(`${origin}/metrics`)).text();

/** The value of a sample; undefined: there is none. */
async function sample(name: string): Promise<number | undefined> {
  const line = (await scrape()).split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

const requests = (endpoint: string, method: string, status: number) =>
  sample(`almanac_http_request_duration_seconds_count{endpoint="${endpoint}",method="${method}",status="${status}"}`);

describe("the metrics port", () => {
  it("gives Prometheus's text format", async () => {
    const response = await fetch(`${origin}/metrics`);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const lines = (await response.text()).trimEnd().split("\n");
    const sound =
      /^(?:# (?:HELP|TYPE) [a-z_0-9]+ .+|[a-z_0-9]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? (?:[-+\d.e]+|NaN|[-+]Inf))$/;
    expect(lines.filter((line) => line !== "" && !sound.test(line))).toEqual([]);
  });

  it("has nothing else, and the port of the API has no metrics", async () => {
    expect((await fetch(`${origin}/`)).status).toBe(404);
    expect((await fetch(`${origin}/v1/account`)).status).toBe(404);
    expect((await fetch(`${origin}/metrics`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${service.origin}/metrics`)).status).toBe(404);
  });
});

describe("requests", () => {
  it("are counted by endpoint, method and status", async () => {
    for (let i = 0; i < 3; i++) await api("GET", "/v1/account");
    await fetch(`${service.origin}/v1/account`);
    await expect.poll(() => requests("/v1/account", "GET", 200)).toBe(3);
    await expect.poll(() => requests("/v1/account", "GET", 401)).toBe(1);
  });

  it("have the endpoint's name, not what was asked for", async () => {
    await api("POST", `/v1/calendars/${calendar}/events`, {
      ...{ event_id: "one", summary: "A secret meeting" },
      ...{ start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z" },
    });
    await api("GET", "/v1/no/such/thing");
    await fetch(`${service.origin}/no-such-page`);
    await fetch(`${service.origin}/docs`);
    await expect.poll(() => requests("/v1/calendars/[calendar_id]/events", "POST", 202)).toBe(1);
    await expect.poll(() => requests("/v1/[[...unknown]]", "GET", 404)).toBe(1);
    await expect.poll(() => requests("other", "GET", 404)).toBe(2); // /metrics above is one of them
    await expect.poll(() => requests("/docs", "GET", 200)).toBe(1);
  });
});

describe("deliveries", () => {
  const attempts = (outcome: string, reason: string) =>
    sample(`almanac_delivery_attempt_duration_seconds_count{outcome="${outcome}",reason="${reason}"}`);

  it("are counted by outcome and reason", async () => {
    await api("POST", "/v1/channels", { callback_url: receiver.url("/sound") });
    await expect.poll(() => attempts("delivered", "2xx")).toBe(1);
    receiver.answer(500);
    await api("POST", "/v1/channels", { callback_url: receiver.url("/broken") });
    await expect.poll(() => attempts("retried", "5xx")).toBe(1);
  });

  it("are counted by how long they had been due", async () => {
    const waited = () => sample('almanac_queue_wait_seconds_count{work="deliver"}');
    await expect.poll(waited).toBeGreaterThanOrEqual(2);
    expect(await sample('almanac_queue_wait_seconds_count{work="notify"}')).toBeGreaterThanOrEqual(2); // what they announce
  });
});

describe("this process and its work", () => {
  it.each(["notify", "replay", "deliver", "push"])("the queue of %s is empty", async (work) => {
    await expect.poll(() => sample(`almanac_queue_depth{work="${work}"}`)).toBe(0);
    expect(await sample(`almanac_queue_age_seconds{work="${work}"}`)).toBe(0);
  });

  it("has its pool, its event loop, its memory and its processor time", async () => {
    const idle = (await sample('almanac_database_connections{state="idle"}')) ?? 0;
    const busy = (await sample('almanac_database_connections{state="busy"}')) ?? 0;
    expect(idle + busy).toBeGreaterThan(0);
    expect(await sample("almanac_database_pool_waiting")).toBe(0);
    await expect.poll(() => sample("almanac_ready")).toBe(1);
    for (const name of [
      "nodejs_eventloop_lag_p99_seconds",
      "process_resident_memory_bytes",
      "process_cpu_seconds_total",
    ])
      expect(await sample(name)).toBeGreaterThan(0);
  });
});

/** Of these nothing happens here: there is no provider, and no Inngest server. Their labels are in tests/unit/metrics.test.ts. */
const unseen = [
  "almanac_syncs_total",
  "almanac_sync_lag_seconds",
  "almanac_provider_writes_total",
  "almanac_inngest_round_trip_ok",
];

it("every metric and label of the alert rules, the objectives and the dashboard is there", async () => {
  const scraped = scrapedLabels(await scrape());
  const shares = objectives.map(({ badShare }) => badShare("5m"));
  const queries = [...alertRules.map(({ expr }) => expr), ...shares, ...dashboardQueries];
  const queried = queries.flatMap(queriedMetrics);
  expect(queried.length).toBeGreaterThan(50);
  expect(queried.filter(({ metric }) => !scraped.has(metric))).toEqual([]);
  const isSeen = ({ metric }: { metric: string }) => !unseen.includes(metric);
  expect(
    queried.filter(isSeen).filter(({ metric, labels }) => labels.some((label) => !scraped.get(metric)?.has(label))),
  ).toEqual([]);
  expect(await sample("almanac_queue_scrape_ok")).toBe(1);
  expect(await sample('almanac_not_ready{reason="database_away"}')).toBe(0);
  expect(await sample('almanac_admission_waiting{place="request"}')).toBe(0);
  expect(await sample('almanac_admission_wait_seconds_count{place="request"}')).toBeGreaterThan(0);
});

it("the objective for webhooks is a bucket of its histogram, which counts the first attempts alone", async () => {
  const times = { start: "2026-12-02T10:00:00Z", end: "2026-12-02T11:00:00Z", tzid: "Etc/UTC" };
  const event = { summary: "Another meeting", ...times };
  await api("POST", "/v1/sandbox/changes", { type: "event_created", calendar_id: calendar, event });
  const within = () => sample(`almanac_change_to_webhook_seconds_bucket{le="${WEBHOOK_WITHIN_S}"}`);
  await expect.poll(within).toBe(2);
  expect(await sample("almanac_change_to_webhook_seconds_count")).toBe(2);
});

it("no metric has an id, a token, an address or a text of anybody's", async () => {
  const text = await scrape();
  for (const secret of [account, calendar, token, client.client_id, receiver.origin, "secret meeting", "/sound"])
    expect(text).not.toContain(secret);
});
