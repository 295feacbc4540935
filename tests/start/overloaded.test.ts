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
/** More than may run and wait of one account; all within the rate limits of ten seconds. */
const AT_ONCE = 260;

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
  const headers = { authorization: `Bearer ${access_token}` };
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const answer = await fetch(`${service.origin}/v1/calendars`, { headers });
      await answer.arrayBuffer();
      return { status: answer.status, retryAfter: answer.headers.get("retry-after") };
    }),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter(({ status }) => status !== 429 && status !== 503)).toEqual([]);
  expect(refused.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
  for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
});
