import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import canonicalize from "canonicalize";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Receiver, startReceiver } from "../fakes/receiver";
import { killAll, type Service, start } from "./service";

const SIGNING_KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;
const EVENT_KEY = "an-event-key";
/** Within which nothing is found by sweeping, which happens once a minute here, and longer than it takes to notice. */
const BEFORE_A_SWEEP_MS = 40_000;
const folder = mkdtempSync(join(tmpdir(), "almanac-inngest-"));

interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: what an Inngest server is sent.
  json: any;
}

let standIn: Server;
const calls: Call[] = [];
let receiver: Receiver;
let service: Service;

beforeAll(async () => {
  standIn = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      calls.push({ path: request.url ?? "", headers: request.headers, json: body === "" ? null : JSON.parse(body) });
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ok: true, modified: true, ids: ["01"], status: 200 }));
    });
  });
  await new Promise<void>((resolve) => standIn.listen(0, "127.0.0.1", resolve));
  receiver = await startReceiver();
  service = await start({
    DATA_DIR: folder,
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    SWEEP_SECONDS: "60",
    INNGEST_BASE_URL: `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`,
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
  });
});

afterAll(async () => {
  killAll();
  standIn.close();
  standIn.closeAllConnections();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("with INNGEST_* set", () => {
  it("the functions are registered, with the key that Inngest knows the caller by", async () => {
    const { headers, json } = await called((path) => path.startsWith("/fn/register"));
    const digest = createHash("sha256").update(Buffer.from(SIGNING_KEY.replace("signkey-test-", ""), "hex"));
    expect(headers.authorization).toBe(`Bearer signkey-test-${digest.digest("hex")}`);
    expect(json).toMatchObject({ appName: "almanac", framework: expect.any(String), v: expect.any(String) });
    expect(new URL(json.url).pathname).toBe("/api/inngest");
    expect(json.functions.map(({ id }: { id: string }) => id).sort()).toEqual([
      "almanac-alerts",
      "almanac-bulk-retry",
      "almanac-bulk-retry-cancelled",
      "almanac-clear-expired-holds",
      "almanac-close-visits",
      "almanac-continue-bulk-retries",
      "almanac-continue-series",
      "almanac-deliver-webhooks",
      "almanac-drop-expired-request-logs",
      "almanac-drop-expired-tokens",
      "almanac-drop-old-deliveries",
      "almanac-drop-old-request-counts",
      "almanac-drop-old-staff-rows",
      "almanac-erase-deleted-applications",
      "almanac-fan-out-changes",
      "almanac-forget-bookings",
      "almanac-open-mailboxes",
      "almanac-poll-mailboxes",
      "almanac-prepare-delivery-days",
      "almanac-revoke-unexchanged",
      "almanac-round-trip",
      "almanac-sweep",
      "almanac-sync-mailbox",
      "almanac-write-events",
    ]);
  });

  it("a notification comes although the server calls nobody, which is noticed", async () => {
    const before = calls.length;
    await openChannel();
    const got = await receiver.next(() => true, BEFORE_A_SWEEP_MS);
    expect(got.json.notification.type).toBe("verification");
    const events = calls.slice(before).filter(({ path }) => path.startsWith("/e/"));
    const names = new Set(events.flatMap(({ json }) => json).map(({ name }) => name));
    expect([...names].sort()).toEqual(["almanac/changes.due", "almanac/round-trip"]);
  });

  it("calls without Inngest's signature are refused, those with it run the function", async () => {
    const body = {
      version: 2,
      event: { name: "almanac/changes.due", data: {}, id: "1", ts: Date.now() },
      events: [{ name: "almanac/changes.due", data: {}, id: "1", ts: Date.now() }],
      steps: {},
      ctx: {
        run_id: "01",
        attempt: 0,
        max_attempts: 1,
        disable_immediate_execution: false,
        use_api: false,
        stack: { stack: [], current: 0 },
      },
    };
    const bare = await callFunction(body, {});
    expect(bare.status).toBe(401);
    const stale = await callFunction(body, { "x-inngest-signature": signature(body, Date.now() - 3_600_000) });
    expect(stale.status).toBe(401);
    const forged = await callFunction(
      { ...body, steps: { x: 1 } },
      { "x-inngest-signature": signature(body, Date.now()) },
    );
    expect(forged.status).toBe(401);
    const signed = await callFunction(body, { "x-inngest-signature": signature(body, Date.now()) });
    expect(signed.status).toBe(206);
    expect(signed.headers.get("svc-request-id")).toMatch(/^req_/);
    const registrations = () => calls.filter(({ path }) => path.startsWith("/fn/register")).length;
    const before = registrations();
    expect((await fetch(`${service.origin}/api/inngest`, { method: "PUT" })).status).toBe(401);
    expect(
      (
        await fetch(`${service.origin}/api/inngest`, {
          method: "PUT",
          headers: { "x-inngest-signature": "t=1&s=00" },
          body: "{}",
        })
      ).status,
    ).not.toBe(200);
    expect(registrations()).toBe(before);
    const huge = await callFunction(
      { ...body, steps: { x: "x".repeat(5_000_000) } },
      { "x-inngest-signature": signature({}, Date.now()) },
    );
    expect(huge.status).toBe(413);
    expect(service.stderr()).not.toMatch(/^ {4}at /m);
    for (const method of ["GET", "DELETE", "PATCH"]) {
      expect((await fetch(`${service.origin}/api/inngest`, { method })).status).toBe(404);
    }
  });
});

function signature(body: object, at: number): string {
  const t = Math.floor(at / 1000);
  const key = SIGNING_KEY.replace("signkey-test-", "");
  return `t=${t}&s=${createHmac("sha256", key)
    .update(`${canonicalize(body)}${t}`)
    .digest("hex")}`;
}

function callFunction(body: object, headers: Record<string, string>) {
  return fetch(`${service.origin}/api/inngest?fnId=almanac-fan-out-changes&stepId=step`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
}

async function openChannel(): Promise<void> {
  const [, clientId, clientSecret] = /client id\s+(\S+)\s+client secret\s+(\S+)/.exec(service.stdout()) ?? [];
  const opened = await post("/v1/application_calendars", {
    client_id: clientId,
    client_secret: clientSecret,
    application_calendar_id: "one",
  });
  const answer = await post("/v1/channels", { callback_url: receiver.url() }, opened.access_token);
  expect(answer.channel.channel_id).toMatch(/^chn_/);
}

async function post(path: string, json: object, token?: string) {
  const response = await fetch(service.origin + path, {
    method: "POST",
    body: JSON.stringify(json),
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
  });
  return await response.json();
}

async function called(fits: (path: string, json: unknown) => boolean): Promise<Call> {
  return await vi.waitFor(
    () => {
      const found = calls.find(({ path, json }) => fits(path, json));
      if (!found) throw new Error(`Inngest was called ${calls.length} times, but never so:\n${service.stderr()}`);
      return found;
    },
    { timeout: 60_000 },
  );
}
