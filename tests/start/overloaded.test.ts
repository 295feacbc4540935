import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killAll, type Service, start } from "./service";

const application = {
  name: "Acme",
  client_id: "acme",
  client_secret: "acme-secret",
  redirect_uris: ["https://acme.io/cb"],
};
/** As many as the bucket of one account allows at once, which is as many as may wait of it. */
const BURST = 150;
const DAY_MS = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), "almanac-overloaded-"));
let service: Service;

beforeAll(async () => {
  service = await start({ DATA_DIR: folder, BOOTSTRAP_APPLICATIONS: JSON.stringify([application]) });
});

afterAll(() => {
  killAll();
  rmSync(folder, { recursive: true, force: true });
});

it("whoever asks for more at once than may wait is told how long to wait, and nobody is answered with a 500", async () => {
  const opened = await fetch(`${service.origin}/v1/application_calendars`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: "acme", client_secret: "acme-secret", application_calendar_id: "room" }),
  });
  const { access_token } = (await opened.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  const calendars = await fetch(`${service.origin}/v1/calendars`, { headers });
  const [{ calendar_id }] = ((await calendars.json()) as { calendars: [{ calendar_id: string }] }).calendars;
  const answers: { status: number; retryAfter: string | null }[] = [];
  const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  /** A series that is written again at other times, one after another: slower than the bucket fills. */
  const ask = async () => {
    const minute = String(asked.length % 60).padStart(2, "0");
    const series = { event_id: "series", summary: "Stand-up", tzid: "Etc/UTC" };
    const times = { start: `${day}T09:${minute}:00Z`, end: `${day}T10:${minute}:00Z` };
    const rules = [{ frequency: "daily", count: 730 }];
    const answer = await fetch(`${service.origin}/v1/calendars/${calendar_id}/events`, {
      ...{ method: "POST", headers },
      body: JSON.stringify({ ...series, ...times, recurrence: { rules } }),
    });
    await answer.arrayBuffer();
    answers.push({ status: answer.status, retryAfter: answer.headers.get("retry-after") });
  };
  const asked: Promise<void>[] = [];
  for (let i = 0; i < BURST; i += 1) asked.push(ask());
  // The bucket fills again while nothing of the account is done.
  await expect
    .poll(
      () => {
        for (let i = 0; i < 10; i += 1) asked.push(ask());
        return answers.some(({ status }) => status === 503);
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  await Promise.all(asked);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter(({ status }) => status !== 429 && status !== 503)).toEqual([]);
  expect(refused.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
  for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
});
