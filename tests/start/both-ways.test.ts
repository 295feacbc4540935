import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { provideEnv } from "@/server/env";
import { type EmbeddedDatabase, startEmbedded } from "@/server/front-door/embedded";
import { nextHandler } from "@/server/front-door/next-handler";
import { routesWithoutNext } from "@/server/front-door/routes";
import { type FrontDoor, frontDoor } from "@/server/front-door/server";
import { registerApplication } from "@/server/store/applications/register";

const root = process.cwd();
const dataDir = mkdtempSync(join(tmpdir(), "almanac-ways-"));
const application = { client_id: "lanes", client_secret: randomBytes(24).toString("base64url") };

let database: EmbeddedDatabase;
let fast: FrontDoor;
let slow: FrontDoor;
let token: string;
let calendar: string;

beforeAll(async () => {
  vi.stubEnv("NODE_ENV", "production");
  database = await startEmbedded(dataDir);
  await migrate(database.url, join(root, "prisma", "migrations"));
  provideEnv({
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: `t1:${randomBytes(32).toString("base64")}`,
    BASE_URL: "http://api.almanac.localhost",
    LOG_LEVEL: "error",
  });
  const { client_id: clientId, client_secret: clientSecret } = application;
  const made = { name: "Lanes", clientId, clientSecret, redirectUris: [], compatibilityMode: false, plan: "standard" };
  await registerApplication(db(), { ...made, plan: "standard" }, clock().now());
  slow = frontDoor({ routes: {} });
  const fallback = await nextHandler({ root, isDev: false, port: 3000, server: slow.server });
  slow = await listening({ routes: {}, fallback });
  fast = await listening({ routes: await routesWithoutNext({ root, isDev: false }) });
  const opened = await send(fast, "POST", "/v1/application_calendars", {
    ...application,
    application_calendar_id: "a",
  });
  token = JSON.parse(opened.body).access_token;
  calendar = JSON.parse((await send(fast, "GET", "/v1/calendars")).body).calendars[0].calendar_id;
}, 120_000);

afterAll(async () => {
  await Promise.all([fast.close(), slow.close()]);
  await context.services?.close();
  await db().close();
  await database.close();
  rmSync(dataDir, { recursive: true });
});

async function listening(options: Parameters<typeof frontDoor>[0]): Promise<FrontDoor> {
  const front = frontDoor(options);
  front.server.listen(0, "127.0.0.1");
  await once(front.server, "listening");
  return front;
}

async function send(front: FrontDoor, method: string, path: string, body?: unknown) {
  const { port } = front.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      "svc-request-id": "the-same-id",
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
  });
  const headers = Object.fromEntries(answer.headers);
  // How the bytes are framed and when they were sent is the server's; the bucket is shared by both ways.
  for (const name of ["date", "connection", "keep-alive", "transfer-encoding", "content-length"]) delete headers[name];
  for (const name of ["ratelimit-remaining", "ratelimit-reset"]) if (name in headers) headers[name] = "any";
  return { status: answer.status, headers, body: await answer.text() };
}

const event = { event_id: "e", summary: "S", start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z" };
const id = "%F0%9F%93%85%20a%2Fb";

describe("a route answers as through Next", () => {
  it.each<[string, string, unknown?]>([
    ["GET", "/health"],
    ["HEAD", "/health"],
    ["GET", "/v1/account"],
    ["HEAD", "/v1/account"],
    ["GET", "/v1/account/"],
    ["OPTIONS", "/v1/account"],
    ["PATCH", "/v1/account"],
    ["POST", "/v1/account", {}],
    ["GET", "/v1/events?tzid=Etc/UTC&calendar_ids[]=x&calendar_ids[]=%C3%A9"],
    ["GET", "/v1/events?tzid=%zz"],
    ["GET", "/v1/free_busy?tzid=Nowhere&from=x"],
    ["GET", "/v1"],
    ["GET", "/v1/"],
    ["GET", "/v1/nothing/at/all"],
    ["DELETE", "/v1/nothing"],
    ["GET", "/v1/calendars/x/events"],
    ["POST", `/v1/calendars/${id}/events`, event],
    ["POST", "/v1/calendars/CALENDAR/events", event],
    ["POST", "/v1/calendars/ENCODED/events", event],
    ["POST", "/v1/calendars/CALENDAR/events", "{"],
    ["POST", "/v1/calendars/CALENDAR/events", { ...event, start: "x", summary: 7 }],
    ["GET", "/v1/events?tzid=Europe/Paris&include_managed=true&from=2026-11-30&to=2026-12-02"],
    ["DELETE", "/v1/calendars/CALENDAR/events", { event_id: "none" }],
    ["POST", "/v1/application_calendars", {}],
    ["POST", "/v1/application_calendars", { ...application, client_secret: "wrong", application_calendar_id: "a" }],
    ["POST", "/oauth/token", "not json"],
    ["GET", "/oauth/token"],
    ["POST", "/oauth/token/revoke", { ...application, token: "unknown" }],
    ["GET", "/docs"],
    ["GET", "/docs/"],
    ["HEAD", "/docs/webhooks"],
    ["GET", "/docs/webhooks.md"],
    ["GET", "/docs/reference/nothing"],
    ["GET", "/docs/files/none.css"],
    ["GET", "/docs/search.json"],
    ["GET", "/docs.md"],
    ["GET", "/llms.txt"],
    ["DELETE", "/llms-full.txt"],
    ["GET", "/openapi.json"],
    ["HEAD", "/openapi/postman.json"],
  ])("%s %s", async (method, path, body) => {
    const encoded = calendar.replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`);
    const there = path.replace("CALENDAR", calendar).replace("ENCODED", encoded);
    const direct = await send(fast, method, there, body);
    expect(direct).toEqual(await send(slow, method, there, body));
    expect(direct.status).toBeLessThan(500);
    if (body === event && !there.includes(id)) expect(direct.status).toBe(202);
  });

  it("with a page that is compressed", async () => {
    const long = { ...event, event_id: "long", description: "A long story. ".repeat(1_000) };
    expect((await send(fast, "POST", `/v1/calendars/${calendar}/events`, long)).status).toBe(202);
    const page = "/v1/events?tzid=Etc/UTC&include_managed=true&from=2026-11-30&to=2026-12-02";
    for (const method of ["GET", "HEAD"]) {
      const direct = await send(fast, method, page);
      expect(direct).toEqual(await send(slow, method, page));
      expect(direct.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept-Encoding" });
    }
    expect(JSON.parse((await send(fast, "GET", page)).body).events).toContainEqual(
      expect.objectContaining({ description: long.description }),
    );
  });
});

describe("what the dashboard's pages load", () => {
  it("comes from the files of the build, as the caller accepts it, and nothing else does", async () => {
    const folder = join(root, ".next", "static", "chunks");
    const name = readdirSync(folder).find((each) => each.endsWith(".js")) ?? "";
    const file = await send(fast, "GET", `/_next/static/chunks/${name}`);
    expect([file.status, file.body]).toEqual([200, readFileSync(join(folder, name), "utf8")]);
    expect(file.headers).toMatchObject({
      "content-encoding": "gzip",
      "content-type": "application/javascript; charset=UTF-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
    for (const path of ["none.js", "..%2f..%2fBUILD_ID", ""]) {
      const { status, body } = await send(fast, "GET", `/_next/static/chunks/${path}`);
      expect([path, status, body]).toEqual([path, 404, ""]);
    }
    expect((await send(fast, "POST", `/_next/static/chunks/${name}`)).status).toBe(405);
  });
});

it("a page that is compressed once says so through Next, which would take that away", async () => {
  const { headers, body } = await send(slow, "GET", "/");
  expect(headers["content-encoding"]).toBe("gzip");
  expect(body).toMatch(/^<!DOCTYPE html>/);
});
