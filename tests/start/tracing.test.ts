import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "@/tests/fakes/free-port";
import { type Collector, type SentSpan, startCollector } from "@/tests/fakes/otlp-collector";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { killAll, type Service, start } from "@/tests/start/service";

const EXPORTING = ["sdk-trace", "sdk-trace-base", "exporter-trace-otlp-http", "exporter-trace-otlp-proto"].map(
  (name) => `@opentelemetry/${name}`,
);
const folder = mkdtempSync(join(tmpdir(), "almanac-tracing-"));
const client = { client_id: "tracing", client_secret: "a secret of the tracing test" };
const callers = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
let collector: Collector;
let receiver: Receiver;
let service: Service;
let token = "";
let account = "";
let calendar = "";

const begin = (name: string, env: Record<string, string>) =>
  start({
    DATA_DIR: join(folder, name),
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Tracing", ...client }]),
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    NODE_OPTIONS: `--require ${resolve(import.meta.dirname, "../fakes/loaded-packages.cjs")}`,
    LOADED_PACKAGES: join(folder, `${name}.json`),
    OTEL_BSP_SCHEDULE_DELAY: "100",
    ...env,
  });
const loadedBy = (name: string): string[] => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));

beforeAll(async () => {
  collector = await startCollector();
  receiver = await startReceiver();
  service = await begin("traced", {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  const opened = await api("POST", "/v1/application_calendars", { ...client, application_calendar_id: "one" });
  token = opened.access_token;
  account = opened.sub;
  calendar = (await api("GET", "/v1/calendars")).calendars[0].calendar_id;
});

afterAll(async () => {
  killAll();
  await collector.close();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
async function api(method: string, path: string, body?: object, headers: object = {}, on = service): Promise<any> {
  const response = await fetch(on.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: body && JSON.stringify(body),
  });
  return await response.json().catch(() => response.status);
}

const traceparent = ({ traceId, spanId }: { traceId: string; spanId: string }) => `00-${traceId}-${spanId}-01`;
const within = (trace: string) => collector.spans.filter(({ traceId }) => traceId === trace);
const named = (name: string, trace: string) => (span: SentSpan) => span.name === name && span.traceId === trace;

describe("a request", () => {
  it("is a span below its caller's, with the procedure below it and statements below both", async () => {
    await api("GET", "/v1/calendars", undefined, { traceparent: traceparent(callers) });
    const server = await collector.next(named("GET /v1/calendars", callers.traceId));
    expect(server).toMatchObject({ kind: 2, parentSpanId: callers.spanId, status: 0 });
    expect(server.attributes).toMatchObject({
      "http.request.method": "GET",
      "http.route": "/v1/calendars",
      "http.response.status_code": 200,
      "almanac.request_id": expect.stringMatching(/^[\w-]{8,}$/),
    });
    const service = await collector.next(named("listCalendars", callers.traceId));
    expect(service).toMatchObject({ kind: 1, parentSpanId: server.spanId });
    const statements = within(callers.traceId).filter(({ kind }) => kind === 3);
    const above = new Set(statements.map(({ parentSpanId }) => parentSpanId));
    expect([...above].toSorted()).toEqual([server.spanId, service.spanId].toSorted());
    for (const { name, attributes } of statements)
      expect(attributes).toEqual({ "db.system.name": "postgresql", "db.query.summary": name });
  });

  it("names its route with parameters, and is a fault only if it is the service's", async () => {
    const other = { traceId: "a".repeat(32), spanId: "b".repeat(16) };
    await api("POST", `/v1/calendars/${calendar}/events`, { event_id: "x" }, { traceparent: traceparent(other) });
    const server = await collector.next(named("POST /v1/calendars/{calendar_id}/events", other.traceId));
    expect([server.status, server.attributes["http.response.status_code"]]).toEqual([0, 422]);
    expect((await collector.next(named("writeEvent", other.traceId))).status).toBe(0);
  });

  it("begins a trace of its own without a caller's, or with one that cannot be read", async () => {
    await api("GET", "/v1/profiles", undefined, { traceparent: "00-xyz" });
    expect((await collector.next(({ name }) => name === "GET /v1/profiles")).parentSpanId ?? "").toBe("");
  });

  it("is not traced if it is a probe", async () => {
    for (let i = 0; i < 3; i++) await fetch(`${service.origin}/health/ready`);
    await fetch(`${service.origin}/docs/errors`);
    await collector.next(({ name }) => name === "GET /docs");
    expect(collector.spans.filter(({ name }) => name.includes("health"))).toEqual([]);
  });

  it("says who sent it", () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(collector.spans[0]?.resource).toMatchObject({
      "service.name": "almanac",
      "service.version": version,
      "almanac.role": "all",
      "deployment.environment.name": "test",
    });
  });
});

describe("a delivery", () => {
  it("belongs to the trace of the change that caused it, and its receiver is told nothing of that", async () => {
    await api("POST", "/v1/channels", { callback_url: receiver.url("/a-callback-path") });
    await receiver.next();
    const cause = { traceId: "c".repeat(32), spanId: "d".repeat(16) };
    const times = { start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z", tzid: "Etc/UTC" };
    const change = { type: "event_created", calendar_id: calendar, event: { summary: "A private meeting", ...times } };
    await api("POST", "/v1/sandbox/changes", change, { traceparent: traceparent(cause) });
    const { headers } = await receiver.next(({ json }) => json.notification.type === "change");
    const procedure = await collector.next(named("changeInSandbox", cause.traceId));
    const sent = await collector.next(named("POST webhook", cause.traceId));
    expect(sent).toMatchObject({ kind: 3, parentSpanId: procedure.spanId, status: 0 });
    expect(sent.attributes).toEqual({
      "http.request.method": "POST",
      "almanac.delivery_id": headers["svc-delivery-id"],
      "almanac.attempt": 1,
      "http.response.status_code": 200,
    });
    expect(Object.keys(headers).filter((name) => /^(traceparent|tracestate|baggage|b3)$/.test(name))).toEqual([]);
  });

  it("is a fault where its receiver refuses it", async () => {
    receiver.answer(503);
    const cause = { traceId: "e".repeat(32), spanId: "f".repeat(16) };
    await api("POST", "/v1/channels", { callback_url: receiver.url("/down") }, { traceparent: traceparent(cause) });
    const sent = await collector.next(named("POST webhook", cause.traceId));
    expect(sent).toMatchObject({ status: 2, attributes: { "error.type": "503", "almanac.attempt": 1 } });
    receiver.answer(200);
  });
});

describe("what is sent", () => {
  it("holds no token, secret, address, id of an account or text of anybody's", async () => {
    await api("GET", "/v1/events?tzid=Etc/UTC&q=a-query-of-a-user");
    await collector.next(({ name }) => name === "GET /v1/events");
    const secrets = [token, client.client_secret, client.client_id, account, calendar, receiver.origin];
    const texts = ["A private meeting", "a-callback-path", "a-query-of-a-user", "Bearer"];
    for (const secret of [...secrets, ...texts]) expect(collector.raw()).not.toContain(secret);
  });

  it("is all there when the process has ended", async () => {
    const last = { traceId: "1".repeat(32), spanId: "2".repeat(16) };
    await api("GET", "/v1/calendars", undefined, { traceparent: traceparent(last) });
    expect(await service.stop()).toBe(0);
    expect(within(last.traceId).map(({ name }) => name)).toContain("GET /v1/calendars");
    expect(loadedBy("traced")).toEqual(expect.arrayContaining(EXPORTING.slice(0, 3)));
  });
});

describe("a collector", () => {
  const PATIENCE_MS = 5_000;

  async function works(on: Service): Promise<void> {
    for (let i = 0; i < 20; i++) {
      const opened = await api(
        "POST",
        "/v1/application_calendars",
        { ...client, application_calendar_id: `${i}` },
        {},
        on,
      );
      expect(opened.access_token).toBeDefined();
    }
  }

  it("that is down delays nothing, and is said once", async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await freePort()}`;
    const down = await begin("down", { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TIMEOUT: "500" });
    const sentences = () => down.stderr().match(/traces cannot be sent/g) ?? [];
    await works(down);
    await expect.poll(sentences).toHaveLength(1);
    await works(down);
    const since = performance.now();
    expect(await down.stop()).toBe(0);
    expect(performance.now() - since).toBeLessThan(PATIENCE_MS);
    expect(sentences()).toHaveLength(1);
  });

  it("that never answers delays neither requests nor the end", async () => {
    const slow = await startCollector();
    slow.hang();
    const other = await begin("slow", { OTEL_EXPORTER_OTLP_ENDPOINT: slow.origin });
    await works(other);
    await expect.poll(slow.hanging).toBeGreaterThan(0);
    await works(other);
    const since = performance.now();
    expect(await other.stop()).toBe(0);
    expect(performance.now() - since).toBeLessThan(PATIENCE_MS);
    await slow.close();
  });

  it("is sent protobuf unless JSON is asked for, under the name that is set", async () => {
    const plain = await startCollector();
    const other = await begin("protobuf", {
      OTEL_EXPORTER_OTLP_ENDPOINT: plain.origin,
      OTEL_SERVICE_NAME: "acme-calendars",
    });
    await works(other);
    await other.stop();
    expect([...plain.contentTypes]).toEqual(["application/x-protobuf"]);
    expect(plain.raw()).toContain("acme-calendars");
    await plain.close();
  });

  it("gets nothing of what is not sampled", async () => {
    const plain = await startCollector();
    const other = await begin("unsampled", {
      OTEL_EXPORTER_OTLP_ENDPOINT: plain.origin,
      OTEL_TRACES_SAMPLER: "always_off",
    });
    await works(other);
    await other.stop();
    expect(plain.raw()).toBe("");
    await plain.close();
  });
});

it("without OTEL_EXPORTER_OTLP_ENDPOINT nothing that sends traces is loaded, nor what measures without METRICS_PORT", async () => {
  const other = await begin("untraced", {});
  await api("POST", "/v1/application_calendars", { ...client, application_calendar_id: "one" }, {}, other);
  expect(await other.stop()).toBe(0);
  expect(loadedBy("untraced").filter((name) => [...EXPORTING, "prom-client"].includes(name))).toEqual([]);
});
