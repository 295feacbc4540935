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

/** Resolves when so many notifications of the channel are there, and the last one's signature is by the channel's secret. */
async function signed(channel: Channel, count: number): Promise<void> {
  const came = () => receiver.got.filter(({ json }) => json.channel.channel_id === channel.channel_id);
  await expect.poll(() => came().length, { timeout: 60_000 }).toBe(count);
  const { headers, body } = came().at(-1) as Got;
  const [, time, signature] = /t=(\d+),v1=([0-9a-f]+)/.exec(String(headers["svc-signature"])) ?? [];
  expect(signature).toBe(createHmac("sha256", channel.signing_secret).update(`${time}.${body}`).digest("hex"));
}

it("while processes are restarted one by one, some have the new key first and some last, and read what the others encrypt", async () => {
  web = await begin("web", `${k1},${k2}`);
  const older = await begin("worker", `${k1},${k2}`);
  const { access_token: token } = await opened("one");
  const before = await openChannel(token, "/before");
  await signed(before, 1);

  const newer = await begin("worker", `${k2},${k1}`);
  await expect
    .poll(() => newer.stderr())
    .toContain("every stored secret is encrypted with the first of ENCRYPTION_KEYS");
  expect(await newer.stop()).toBe(0);
  await post(`/v1/channels/${before.channel_id}/test`, {}, token);
  await signed(before, 2); // by the older worker, with a secret that the newer one has encrypted with the new key
  expect((await opened("two")).access_token).toBeTypeOf("string");

  expect(await older.stop()).toBe(0);
  const again = await begin("worker", `${k2},${k1}`);
  await signed(await openChannel(token, "/meanwhile"), 1); // with one that the older web process has encrypted with the old key
  expect([await web.stop(), await again.stop()]).toEqual([0, 0]);
});
