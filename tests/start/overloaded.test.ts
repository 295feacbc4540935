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
/** As many as may wait of one account while two run, which is what its bucket allows at once. */
const WAITING = 148;
const SLOW_MS = 4_000;

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
  const answers: { status: number; retryAfter: string | null }[] = [];
  const ask = async (more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${access_token}`, ...more };
    const answer = await fetch(`${service.origin}/v1/calendars`, { headers });
    await answer.arrayBuffer();
    answers.push({ status: answer.status, retryAfter: answer.headers.get("retry-after") });
  };
  const slow = { "svc-sandbox-fault": `slow=${SLOW_MS}` };
  const asked = [ask(slow), ask(slow), ...Array.from({ length: WAITING }, () => ask())];
  // The bucket fills again while nothing of the account is done.
  await expect
    .poll(
      () => {
        asked.push(...Array.from({ length: 10 }, () => ask()));
        return answers.some(({ status }) => status === 503);
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  await Promise.all(asked);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter(({ status }) => status !== 429 && status !== 503)).toEqual([]);
  expect(refused.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
  for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
});
