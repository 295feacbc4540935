import { createHmac, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { killAll, refused, type Service, start } from "@/tests/start/service";

const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-keys-"));
const client = { client_id: "keys", client_secret: "a secret of the key test" };
const [k1, k2] = ["k1", "k2"].map((kid) => `${kid}:${randomBytes(32).toString("base64")}`);
let receiver: Receiver;
let service: Service;
let channel: { channel_id: string; signing_secret: string };

const begin = async (ENCRYPTION_KEYS = "") => {
  service = await start({
    ...{ DATA_DIR, ENCRYPTION_KEYS, CALLBACK_ALLOWED_ORIGINS: receiver.origin },
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Keys", ...client }]),
  });
};

async function api<T>(path: string, body: object, token = ""): Promise<T> {
  const response = await fetch(service.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return (await response.json()) as T;
}

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(async () => {
  killAll();
  await receiver.close();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

it("a key is replaced without losing what it encrypted, and the old one is refused to go too early", async () => {
  await begin(k1);
  const opened = await api<{ access_token: string }>("/v1/application_calendars", {
    ...client,
    application_calendar_id: "one",
  });
  receiver.answer(500);
  ({ channel } = await api<{ channel: typeof channel }>(
    "/v1/channels",
    { callback_url: receiver.url() },
    opened.access_token,
  ));
  await receiver.next();
  expect(await service.stop()).toBe(0);

  const early = await refused({ DATA_DIR, ENCRYPTION_KEYS: k2 ?? "" });
  expect(early.stderr).toContain("The database was encrypted with a different key k1.");

  await begin(`${k1},${k2}`);
  expect(await service.stop()).toBe(0);

  await begin(`${k2},${k1}`);
  await expect
    .poll(() => service.stderr())
    .toContain("every stored secret is encrypted with the first of ENCRYPTION_KEYS");
  expect(await service.stop()).toBe(0);

  receiver.answer(200);
  await begin(k2);
  // Signed with the secret that the first key had encrypted.
  const retried = await receiver.next(({ headers }) => Number(headers["svc-delivery-attempt"]) > 1, 60_000);
  const [, time, signature] = /t=(\d+),v1=([0-9a-f]+)/.exec(String(retried.headers["svc-signature"])) ?? [];
  const expected = createHmac("sha256", channel.signing_secret).update(`${time}.${retried.body}`).digest("hex");
  expect(signature).toBe(expected);
  expect(
    (await api<{ access_token?: string }>("/v1/application_calendars", { ...client, application_calendar_id: "two" }))
      .access_token,
  ).toBeTypeOf("string");
  expect(await service.stop()).toBe(0);
});
