import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FakeInngest, startInngest } from "@/tests/fakes/inngest-server";
import { type Receiver, startReceiver } from "@/tests/fakes/receiver";
import { killAll, type Service, start } from "./service";

const KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;
/** Longer than it takes to notice that runs do not come back, or do again, and shorter than a sweep. */
const PATIENCE = { timeout: 45_000, interval: 200 };

const folder = mkdtempSync(join(tmpdir(), "almanac-carries-"));
let inngest: FakeInngest;
let receiver: Receiver;
let service: Service;
let token: string;

beforeAll(async () => {
  [inngest, receiver] = [await startInngest(KEY), await startReceiver()];
  service = await start({
    DATA_DIR: folder,
    CALLBACK_ALLOWED_ORIGINS: receiver.origin,
    SWEEP_SECONDS: "60",
    INNGEST_BASE_URL: inngest.origin,
    INNGEST_EVENT_KEY: "an-event-key",
    INNGEST_SIGNING_KEY: KEY,
  });
  const [, clientId, clientSecret] = /client id\s+(\S+)\s+client secret\s+(\S+)/.exec(service.stdout()) ?? [];
  const credentials = { client_id: clientId, client_secret: clientSecret };
  token = (await post("/v1/application_calendars", { ...credentials, application_calendar_id: "one" })).access_token;
}, 120_000);

afterAll(async () => {
  killAll();
  inngest.close();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  inngest.runs.length = 0;
  inngest.events.length = 0;
});

async function post(path: string, json: object) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(service.origin + path, { method: "POST", headers, body: JSON.stringify(json) });
  return await response.json();
}

/** Opens a channel, which sends its receiver a verification. Gives how often that came. */
async function opened(): Promise<() => number> {
  const { channel } = await post("/v1/channels", { callback_url: receiver.url("/hook?token=not-for-inngest") });
  return () => receiver.got.filter(({ json }) => json.channel.channel_id === channel.channel_id).length;
}

const runsOf = (name: string) => inngest.runs.filter(({ functionId }) => functionId === `almanac-${name}`);

it("a webhook is made and sent by runs of Inngest, whose results say whose and what came of it", async () => {
  const came = await opened();
  await expect.poll(came, PATIENCE).toBe(1);
  await expect.poll(() => runsOf("deliver-webhooks").length, PATIENCE).toBeGreaterThan(0);
  await expect.poll(() => runsOf("fan-out-changes").length, PATIENCE).toBeGreaterThan(0);
  const [delivered] = runsOf("deliver-webhooks");
  expect(delivered?.event).toMatchObject({ name: "almanac/deliveries.due", data: { application: expect.any(String) } });
  expect(delivered?.end).toEqual({
    state: "done",
    output: { tally: { [new URL(receiver.origin).host]: { first_attempts: 1, sent: 1 } }, nextInSeconds: null },
  });
  const application = delivered?.event.data.application as string;
  expect(runsOf("fan-out-changes")[0]?.end).toMatchObject({
    output: { tally: { all: { accounts: 1 }, [application]: { deliveries: 1 } } },
  });
  expect(JSON.stringify([inngest.events, inngest.runs])).not.toMatch(/\/hook|not-for-inngest|http:/);
});

it("nothing is sent while an operator has paused the function, and all of it afterwards", async () => {
  inngest.paused.add("almanac-deliver-webhooks");
  const announced = () => inngest.events.filter(({ name }) => name === "almanac/deliveries.due").length;
  const came = await opened();
  await expect.poll(announced, PATIENCE).toBeGreaterThan(3); // once a second
  expect(came()).toBe(0);
  inngest.paused.clear();
  await expect.poll(came, PATIENCE).toBe(1);
  await expect.poll(() => runsOf("deliver-webhooks").length, PATIENCE).toBe(1);
});

it("a function that the server has forgotten is registered again", async () => {
  inngest.forget("almanac-deliver-webhooks");
  const came = await opened();
  await expect.poll(came, PATIENCE).toBe(1);
  await expect.poll(() => runsOf("deliver-webhooks").length, PATIENCE).toBe(1);
  expect(service.stderr()).not.toContain("no run of Inngest comes back");
}, 120_000);

it.each<[string, Partial<FakeInngest>, Partial<FakeInngest>]>([
  ["the server accepts events and never calls", { signingKey: null }, { signingKey: KEY }],
  ["the server answers events with 500", { isBroken: true }, { isBroken: false }],
])(
  "while %s the process runs the functions itself, until runs come back",
  async (_, broken, mended) => {
    const linesBefore = service.stderr().length;
    const said = () => service.stderr().slice(linesBefore);
    Object.assign(inngest, broken);
    const came = await opened();
    await expect.poll(came, PATIENCE).toBe(1);
    expect(said()).toContain("no run of Inngest comes back: this process runs the functions until one does");
    expect(inngest.runs.filter(({ functionId }) => functionId !== "almanac-round-trip")).toEqual([]);
    const at = performance.now();
    const another = await opened();
    await expect.poll(another, PATIENCE).toBe(1);
    expect(performance.now() - at).toBeLessThan(10_000); // it need not be noticed again
    Object.assign(inngest, mended);
    await expect.poll(said, PATIENCE).toContain("runs of Inngest come back again");
    const last = await opened();
    await expect.poll(last, PATIENCE).toBe(1);
    await expect.poll(() => runsOf("deliver-webhooks").length, PATIENCE).toBe(1);
  },
  180_000,
);
