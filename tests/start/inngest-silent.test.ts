import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "@/tests/fakes/free-port";
import { type FakeInngest, startInngest } from "@/tests/fakes/inngest-server";
import { killAll, type Service, start } from "./service";

const KEY = `signkey-test-${"0123456789abcdef".repeat(4)}`;
const ANOTHER = `signkey-test-${"fedcba9876543210".repeat(4)}`;
const SILENT = "no run of Inngest comes back: this process runs the functions until one does";
/** Longer than a run is waited for, and than it takes until the next one. */
const PATIENCE = { timeout: 120_000, interval: 500 };

const folder = mkdtempSync(join(tmpdir(), "almanac-silent-"));

interface Driven {
  inngest: FakeInngest;
  service: Service;
  metrics: string;
}

async function driven(name: string, key: string | null): Promise<Driven> {
  const inngest = await startInngest(key);
  const port = String(await freePort());
  const service = await start({
    DATA_DIR: join(folder, name),
    METRICS_PORT: port,
    INNGEST_BASE_URL: inngest.origin,
    INNGEST_EVENT_KEY: "an-event-key",
    INNGEST_SIGNING_KEY: KEY,
  });
  return { inngest, service, metrics: `http://127.0.0.1:${port}/metrics` };
}

let sound: Driven;
let otherKey: Driven;
let mute: Driven;

beforeAll(async () => {
  sound = await driven("sound", KEY);
  otherKey = await driven("other-key", ANOTHER);
  mute = await driven("mute", null);
}, 600_000);

afterAll(() => {
  killAll();
  for (const { inngest } of [sound, otherKey, mute]) inngest.close();
  rmSync(folder, { recursive: true, force: true });
});

const linesOf = ({ service }: Driven) =>
  service
    .stderr()
    .split("\n")
    .filter((one) => one.includes(SILENT))
    .map((one) => JSON.parse(one) as { lastStatus: number | null; hint: string; level: string });

async function isBack({ metrics }: Driven): Promise<string | undefined> {
  const text = await (await fetch(metrics)).text();
  return /^almanac_inngest_round_trip_ok (\d)$/m.exec(text)?.[1];
}

describe("an Inngest server", () => {
  it("whose runs come back is said nothing about", async () => {
    await expect.poll(() => isBack(sound), PATIENCE).toBe("1");
    expect(sound.inngest.statuses.slice(0, 2)).toEqual([206, 200]);
    expect(sound.inngest.events[0]).toMatchObject({ name: "almanac/round-trip", data: {} });
    expect(linesOf(sound)).toEqual([]);
  });

  it("with another signing key is noticed, once, with the status of its call and a hint at the key", async () => {
    await expect.poll(() => linesOf(otherKey), PATIENCE).toHaveLength(1);
    const [line] = linesOf(otherKey);
    expect(line).toMatchObject({
      level: "warn",
      lastStatus: 401,
      hint: expect.stringContaining("INNGEST_SIGNING_KEY"),
    });
    expect(await isBack(otherKey)).toBe("0");
  });

  it("that never calls is noticed, with a hint at the address", async () => {
    await expect.poll(() => linesOf(mute), PATIENCE).toHaveLength(1);
    const [line] = linesOf(mute);
    expect(line).toMatchObject({ lastStatus: null, hint: expect.stringContaining("INNGEST_SERVE_ORIGIN") });
    expect(await isBack(mute)).toBe("0");
  });

  it("that calls again is noticed soon", async () => {
    otherKey.inngest.signingKey = KEY;
    await expect.poll(() => isBack(otherKey), PATIENCE).toBe("1");
    expect(otherKey.service.stderr()).toContain("runs of Inngest come back again, so it runs the functions");
    expect(linesOf(otherKey)).toHaveLength(1);
  });
});
