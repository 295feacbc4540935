import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newDatabase } from "@/tests/fakes/new-database";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { testDatabase } from "@/tests/fakes/test-database";
import { killAll, type Service, start } from "@/tests/start/service";

const folder = mkdtempSync(join(tmpdir(), "almanac-backup-"));
const dump = join(folder, "almanac.dump");
const client = { client_id: "backup", client_secret: "a secret of the backup test" };
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;
const event = { event_id: "kept", summary: "Kept", start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z" };
let used: Awaited<ReturnType<typeof testDatabase>>;
let restored: Awaited<ReturnType<typeof newDatabase>>;
let receiver: Receiver;
let service: Service;
let token = "";

beforeAll(async () => {
  receiver = await startReceiver();
  used = await testDatabase();
  restored = await newDatabase(process.env.TEST_DATABASE_URL ?? "", "almanac_restored");
});

afterAll(async () => {
  killAll();
  await receiver.close();
  await used.close();
  await restored.close();
  rmSync(folder, { recursive: true, force: true });
});

const begin = async (DATABASE_URL: string) => {
  service = await start({
    ...{ DATABASE_URL, ENCRYPTION_KEYS, DATA_DIR: folder, CALLBACK_ALLOWED_ORIGINS: receiver.origin },
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Backup", ...client }]),
  });
};

// biome-ignore lint/suspicious/noExplicitAny: tests look into the documented JSON.
async function api(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(service.origin + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return response.status === 202 ? null : await response.json();
}

it("a dump that was made while the service ran is restored with everything that it had", async () => {
  await begin(used.url);
  token = (await api("POST", "/v1/application_calendars", { ...client, application_calendar_id: "one" })).access_token;
  const [calendar] = (await api("GET", "/v1/calendars")).calendars;
  await api("POST", `/v1/calendars/${calendar.calendar_id}/events`, event);
  receiver.answer(500);
  const { channel } = await api("POST", "/v1/channels", { callback_url: receiver.url() });
  await receiver.next();
  const read = async () => (await api("GET", "/v1/events?tzid=Etc/UTC&include_managed=true")).events;
  const before = await read();
  expect(before).toHaveLength(1);

  execFileSync("pg_dump", ["--format=custom", `--file=${dump}`, used.url]);
  expect(await service.stop("SIGKILL")).toBe(null);
  execFileSync("pg_restore", ["--no-owner", "--exit-on-error", `--dbname=${restored.url}`, dump]);

  receiver.answer(200);
  await begin(restored.url);
  expect(await read()).toEqual(before);
  expect((await api("GET", "/v1/channels")).channels).toHaveLength(1);
  const retried = ({ headers }: { headers: Record<string, unknown> }) => Number(headers["svc-delivery-attempt"]) > 1;
  expect((await receiver.next(retried, 60_000)).json.channel.channel_id).toBe(channel.channel_id);
  expect(await service.stop()).toBe(0);
});
