import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { killAll, start } from "@/tests/start/service";

/** `npm run faults kill-9` has more of them, on PostgreSQL. */
const KILLS = 8;
const dataDir = mkdtempSync(join(tmpdir(), "almanac-kill-"));
const client = { client_id: "kill", client_secret: "a secret of the kill test" };
const env = {
  DATA_DIR: dataDir,
  LOG_LEVEL: "error",
  BOOTSTRAP_APPLICATIONS: JSON.stringify([
    { name: "Kill", ...client, redirect_uris: [], compatibility_mode: false, plan: "standard" },
  ]),
};

afterAll(() => {
  killAll();
  rmSync(dataDir, { recursive: true, force: true });
});

it(`loses nothing that was answered 202 in ${KILLS} kill -9`, async () => {
  const acknowledged = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    const service = await start(env);
    const { token, calendarId } = await open(service.origin);
    const enough = acknowledged.size + 5 + ((kill * 7) % 40);
    const writers = Array.from({ length: 4 }, (_, writer) =>
      writeUntilDead(service.origin, { token, calendarId, acknowledged, name: `${kill}-${writer}` }),
    );
    await until(() => acknowledged.size >= enough);
    await Promise.all([service.stop("SIGKILL"), ...writers]);
  }
  const service = await start(env);
  const { token } = await open(service.origin);
  const found = await readAll(service.origin, token);
  expect(acknowledged.size).toBeGreaterThan(KILLS * 5);
  expect([...acknowledged].filter((id) => !found.has(id))).toEqual([]);
  expect(await service.stop()).toBe(0);
}, 1_800_000);

async function open(origin: string): Promise<{ token: string; calendarId: string }> {
  const opened = await fetch(`${origin}/v1/application_calendars`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...client, application_calendar_id: "kill" }),
  });
  const { access_token: token } = (await opened.json()) as { access_token: string };
  const listed = await fetch(`${origin}/v1/calendars`, { headers: { authorization: `Bearer ${token}` } });
  const { calendars } = (await listed.json()) as { calendars: { calendar_id: string }[] };
  return { token, calendarId: calendars[0]?.calendar_id ?? "" };
}

interface Writer {
  token: string;
  calendarId: string;
  acknowledged: Set<string>;
  name: string;
}

async function writeUntilDead(origin: string, { token, calendarId, acknowledged, name }: Writer): Promise<void> {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for (let i = 0; ; i++) {
    const event = {
      event_id: `${name}-${i}`,
      summary: "Still there",
      start: `${day}T10:00:00Z`,
      end: `${day}T11:00:00Z`,
    };
    try {
      const answer = await fetch(`${origin}/v1/calendars/${calendarId}/events`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(event),
      });
      if (answer.status === 202) acknowledged.add(event.event_id);
    } catch {
      return;
    }
  }
}

async function readAll(origin: string, token: string): Promise<Set<string>> {
  const found = new Set<string>();
  let next: string | undefined = `${origin}/v1/events?tzid=Etc/UTC&only_managed=true`;
  while (next) {
    const answer: Response = await fetch(next, { headers: { authorization: `Bearer ${token}` } });
    const page = (await answer.json()) as { pages: { next_page?: string }; events: { event_id: string }[] };
    for (const { event_id } of page.events) found.add(event_id);
    const following = page.pages.next_page;
    next = following && origin + new URL(following).pathname + new URL(following).search;
  }
  return found;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((again) => setTimeout(again, 20));
}
