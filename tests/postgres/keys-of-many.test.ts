import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Got, type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { testDatabase } from "@/tests/fakes/test-database";
import { killAll, type Service, start } from "@/tests/start/service";

const client = { client_id: "keys", client_secret: "a secret of the key test" };
const folder = mkdtempSync(join(tmpdir(), "almanac-keys-"));
const [k1, k2] = ["k1", "k2"].map((kid) => `${kid}:${randomBytes(32).toString("base64")}`);
let database: Awaited<ReturnType<typeof testDatabase>>;
let receiver: Receiver;
let web: Service;

interface Channel {
  channel_id: string;
  signing_secret: string;
}

beforeAll(async () => {
  [database, receiver] = await Promise.all([testDatabase(), startReceiver()]);
});

afterAll(async () => {
  killAll();
  await receiver.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const begin = (role: "web" | "worker", ENCRYPTION_KEYS: string) =>
  start({
    ...{ ALMANAC_ROLE: role, ENCRYPTION_KEYS, DATABASE_URL: database.url, DATA_DIR: join(folder, role) },
    ...{ CALLBACK_ALLOWED_ORIGINS: receiver.origin, SWEEP_SECONDS: "1" },
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Keys", ...client }]),
  });

async function post<T>(path: string, body: object, token = ""): Promise<T> {
  const response = await fetch(web.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}

const opened = (calendar: string) =>
  post<{ access_token: string }>("/v1/application_calendars", { ...client, application_calendar_id: calendar });

async function openChannel(token: string, path: string): Promise<Channel> {
  const { channel } = await post<{ channel: Channel }>("/v1/channels", { callback_url: receiver.url(path) }, token);
  return channel;
}

const of =
  ({ channel_id }: Channel) =>
  (got: Got) =>
    got.json.channel.channel_id === channel_id;

/** Resolves when the channel's first notification is there and its signature is by the channel's secret. */
async function signed(channel: Channel): Promise<void> {
  const { headers, body } = await receiver.next(of(channel), 60_000);
  const [, time, signature] = /t=(\d+),v1=([0-9a-f]+)/.exec(String(headers["svc-signature"])) ?? [];
  expect(signature).toBe(createHmac("sha256", channel.signing_secret).update(`${time}.${body}`).digest("hex"));
}

it("while processes are restarted one by one, some have the new key first and some last, and read what the others encrypt", async () => {
  web = await begin("web", `${k1},${k2}`);
  const { access_token: token } = await opened("one");
  const before = await openChannel(token, "/before");
  const worker = await begin("worker", `${k2},${k1}`);
  await expect
    .poll(() => worker.stderr())
    .toContain("every stored secret is encrypted with the first of ENCRYPTION_KEYS");
  await signed(before);
  await signed(await openChannel(token, "/meanwhile")); // encrypted with the old key, by the process that has it first
  expect((await opened("two")).access_token).toBeTypeOf("string"); // the client secret is encrypted with the new one
  expect(await web.stop()).toBe(0);
  web = await begin("web", `${k2},${k1}`);
  await signed(await openChannel(token, "/after"));
  expect([await web.stop(), await worker.stop()]).toEqual([0, 0]);
});
