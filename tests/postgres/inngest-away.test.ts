import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { testDatabase } from "@/tests/fakes/test-database";
import { claimsByProcess, noteClaims } from "@/tests/rig/claims";
import { named } from "@/tests/rig/database";
import { killAll, type Service, start } from "@/tests/start/service";

/** Within which nothing is found by sweeping: it happens once a minute here. */
const BEFORE_A_SWEEP_MS = 40_000;

const client = { client_id: "away", client_secret: "a secret of the test without Inngest" };
const folder = mkdtempSync(join(tmpdir(), "almanac-away-"));
const silent = createServer((socket) => void connections.push(socket));
const connections: Socket[] = [];
let database: Awaited<ReturnType<typeof testDatabase>>;
let db: Database;
let receiver: Receiver;
let web: Service;

beforeAll(async () => {
  database = await testDatabase();
  receiver = await startReceiver();
  db = connect(database.url);
  await noteClaims(db);
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const env = {
    DATA_DIR: folder,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    SWEEP_SECONDS: "60",
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Away", ...client }]),
    INNGEST_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    INNGEST_EVENT_KEY: "an-event-key",
    INNGEST_SIGNING_KEY: `signkey-test-${"0123456789abcdef".repeat(4)}`,
  };
  const of = (role: string) => ({ ...env, ALMANAC_ROLE: role, DATABASE_URL: named(database.url, role) });
  web = await start(of("web"));
  await start(of("worker"));
}, 600_000);

afterAll(async () => {
  killAll();
  for (const socket of connections) socket.destroy();
  silent.close();
  await receiver.close();
  await db.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

it("a web process wakes a worker though the Inngest server accepts everything and never responds", async () => {
  await expect
    .poll(() => db.query("SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"))
    .toHaveLength(1);
  const opened = await post("/v1/application_calendars", { ...client, application_calendar_id: "one" });
  const { channel } = await post("/v1/channels", { callback_url: receiver.url() }, opened.access_token);
  await receiver.next(({ json }) => json.channel.channel_id === channel.channel_id, BEFORE_A_SWEEP_MS);
  await expect.poll(() => claimsByProcess(db)).toEqual({ worker: 1 });
});

async function post(path: string, json: object, token?: string) {
  const response = await fetch(web.origin + path, {
    method: "POST",
    body: JSON.stringify(json),
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
  });
  return await response.json();
}
