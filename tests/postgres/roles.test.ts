import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { testDatabase } from "@/tests/fakes/test-database";
import { claimsByProcess, noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import { killAll, type Service, start } from "@/tests/start/service";

/** Within which nothing is found by sweeping: it happens once a minute here. */
const BEFORE_A_SWEEP_MS = 40_000;

const client = { client_id: "roles", client_secret: "a secret of the role test" };
const folder = mkdtempSync(join(tmpdir(), "almanac-roles-"));
let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let receiver: Receiver;
let web: Service;
let worker: Service;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  receiver = await startReceiver();
  db = connect(database.url);
  await noteClaims(db);
  const env = (role: string) => ({
    ALMANAC_ROLE: role,
    DATABASE_URL: named(database.url, role),
    DATA_DIR: join(folder, role),
    ENCRYPTION_KEYS,
    SWEEP_SECONDS: "60",
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "hush",
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Roles", ...client }]),
  });
  const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;
  web = await start(env("web"));
  worker = await start(env("worker"));
  const opened = await fetch(`${web.origin}/v1/application_calendars`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...client, application_calendar_id: "one" }),
  });
  token = ((await opened.json()) as { access_token: string }).access_token;
}, 600_000);

afterAll(async () => {
  killAll();
  await receiver.close();
  await db.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const status = async (service: Service, path: string, method = "GET") =>
  (await fetch(service.origin + path, { method, redirect: "manual" })).status;

async function openChannel(path: string): Promise<string> {
  const response = await fetch(`${web.origin}/v1/channels`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ callback_url: receiver.url(path) }),
  });
  return ((await response.json()) as { channel: { channel_id: string } }).channel.channel_id;
}

const of = (id: string) => (got: { json: { channel: { channel_id: string } } }) => got.json.channel.channel_id === id;

/** Resolves with the backends that listen, when they are so many. */
async function listeners(count: number, without?: number): Promise<number[]> {
  const found = () =>
    db.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()",
    );
  await expect.poll(async () => (await found()).filter(({ pid }) => pid !== without).length).toBe(count);
  return (await found()).map(({ pid }) => pid);
}

describe("ALMANAC_ROLE=web", () => {
  it("serves the API, the pages and the hooks of providers", async () => {
    expect(await status(web, "/v1/account")).toBe(401);
    expect(await status(web, "/docs")).toBe(200);
    expect(await status(web, "/dashboard/sign-in")).toBe(200);
    // Its first page may have kept the event loop so long that it asked for no requests.
    await expect.poll(() => status(web, "/health")).toBe(200);
    expect(await status(web, "/hooks/google", "POST")).toBe(202);
    expect(await status(web, "/api/inngest", "POST")).toBe(404);
  });

  it("leaves background work to workers, which it wakes through PostgreSQL", async () => {
    await listeners(1);
    const id = await openChannel("/woken");
    await receiver.next(of(id), BEFORE_A_SWEEP_MS);
    await expect.poll(() => claimsByProcess(db)).toEqual({ worker: 1 });
  });

  it("wakes a worker whose connection was lost and opened again", async () => {
    const [pid] = await listeners(1);
    await db.query("SELECT pg_terminate_backend($1)", [pid]);
    await listeners(1, pid);
    const id = await openChannel("/listening-again");
    await receiver.next(of(id), BEFORE_A_SWEEP_MS);
  });

  it("says so at the start", () => {
    expect(web.stdout()).toContain("This process serves requests only.");
  });
});

describe("ALMANAC_ROLE=worker", () => {
  it.each([
    "/v1/account",
    "/v1/channels",
    "/oauth/token",
    "/oauth/authorize",
    "/docs",
    "/dashboard",
    "/",
    "/hooks/google",
  ])("has no %s", async (path) => {
    expect(await status(worker, path)).toBe(404);
    expect(await status(worker, path, "POST")).toBe(404);
  });

  it("has the probes", async () => {
    expect(await status(worker, "/health")).toBe(200);
  });

  it("says so at the start", () => {
    expect(worker.stdout()).toContain("This process is a worker");
  });
});

it("ends with 0, whatever its role", async () => {
  expect(await Promise.all([web.stop(), worker.stop()])).toEqual([0, 0]);
});
