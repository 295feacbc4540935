import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { killAll, type Service, start } from "@/tests/start/service";

const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-drain-"));
const client = { client_id: "drain", client_secret: "a secret of the drain test" };
const event = { event_id: "slow", summary: "S", start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z" };

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const build = { version, commit: expect.any(String) };

let receiver: Receiver;
let service: Service;
let token: string;
let calendar: string;

const begin = () =>
  start({
    DATA_DIR,
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Drain", ...client }]),
    DRAIN_GRACE_SECONDS: "2",
  });

beforeAll(async () => {
  receiver = await startReceiver();
  service = await begin();
  token = (await api("POST", "/v1/application_calendars", { ...client, application_calendar_id: "one" })).access_token;
  calendar = (await api("GET", "/v1/calendars")).calendars[0].calendar_id;
});

afterAll(async () => {
  killAll();
  await receiver.close();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
async function api(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(service.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return await response.json();
}

const probe = async (path: string) => {
  const response = await fetch(service.origin + path);
  return [response.status, await response.json()];
};

/** Sends the first half of a write, and resolves when the service has it. */
async function halfARequest(): Promise<{ running: ClientRequest; end(): void }> {
  const body = JSON.stringify(event);
  const running = request(`${service.origin}/v1/calendars/${calendar}/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "content-length": body.length },
  });
  await new Promise((resolve) => running.write(body.slice(0, 10), resolve));
  await fetch(`${service.origin}/health/live`); // by now the half request has arrived too
  return { running, end: () => running.end(body.slice(10)) };
}

describe("before SIGTERM", () => {
  it.each(["/health", "/health/ready"])("%s says that the process is ready", async (path) => {
    expect(await probe(path)).toEqual([200, { status: "ready", ...build }]);
  });

  it("/health/live says that the process responds", async () => {
    expect(await probe("/health/live")).toEqual([200, { status: "live" }]);
  });
});

describe("SIGTERM with a request and a delivery in progress", () => {
  let release = () => {};
  let write: Awaited<ReturnType<typeof halfARequest>>;
  let exited: Promise<number | null>;

  beforeAll(async () => {
    const held = new Promise<number>((resolve) => {
      release = () => resolve(200);
    });
    receiver.answer(() => held);
    write = await halfARequest();
    const { channel } = await api("POST", "/v1/channels", { callback_url: receiver.url() });
    await receiver.next(({ json }) => json.channel.channel_id === channel.channel_id, 30_000);
    exited = service.stop();
  });

  it("first makes the process not ready, and still serves who has not noticed", async () => {
    await expect
      .poll(() => probe("/health/ready"))
      .toEqual([503, { status: "not ready", reason: "Almanac is shutting down", ...build }]);
    release();
    const response = await fetch(`${service.origin}/v1/account`, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get("connection")]).toEqual([200, "close"]);
    expect((await probe("/health"))[0]).toBe(503);
    expect(await probe("/health/live")).toEqual([200, { status: "live" }]);
  });

  it("then closes the port, and finishes the request that it holds", async () => {
    const isOpen = () =>
      fetch(`${service.origin}/health/live`).then(
        () => true,
        () => false,
      );
    await expect.poll(isOpen).toBe(false);
    expect(service.child.exitCode).toBeNull();
    const answered = once(write.running, "response");
    write.end();
    const [response] = await answered;
    expect([response.statusCode, await text(response)]).toEqual([202, ""]);
  });

  it("ends with 0", async () => {
    expect(await exited).toBe(0);
  });

  it("has lost nothing and sent nothing twice, as the next start shows", async () => {
    receiver.answer(200);
    service = await begin();
    const { events } = await api("GET", "/v1/events?tzid=Etc/UTC&include_managed=true");
    expect(events.map((one: { event_id: string }) => one.event_id)).toEqual(["slow"]);
    const { channel } = await api("POST", "/v1/channels", { callback_url: receiver.url("/other") });
    await receiver.next(({ json }) => json.channel.channel_id === channel.channel_id, 30_000);
    const ids = receiver.got.map(({ headers }) => headers["svc-delivery-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });
});
