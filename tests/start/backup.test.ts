import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { killAll, type Service, start } from "@/tests/start/service";

const parent = mkdtempSync(join(tmpdir(), "almanac-copy-"));
const client = { client_id: "copy", client_secret: "a secret of the copy test" };
const event = { event_id: "kept", summary: "Kept", start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z" };
let service: Service;
let token = "";

afterAll(() => {
  killAll();
  rmSync(parent, { recursive: true, force: true });
});

const begin = async (folder: string) => {
  service = await start({
    DATA_DIR: join(parent, folder),
    BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Copy", ...client }]),
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

it("a copy of DATA_DIR is a backup: a start on it has everything", async () => {
  await begin("data");
  const opened = await api("POST", "/v1/application_calendars", { ...client, application_calendar_id: "one" });
  token = opened.access_token;
  const [calendar] = (await api("GET", "/v1/calendars")).calendars;
  await api("POST", `/v1/calendars/${calendar.calendar_id}/events`, event);
  const read = async () => (await api("GET", "/v1/events?tzid=Etc/UTC&include_managed=true")).events;
  const before = await read();
  expect(before).toHaveLength(1);
  expect(await service.stop()).toBe(0);

  cpSync(join(parent, "data"), join(parent, "copy"), { recursive: true });
  rmSync(join(parent, "data"), { recursive: true });
  await begin("copy");
  expect(await read()).toEqual(before);
  expect(await service.stop()).toBe(0);
});
