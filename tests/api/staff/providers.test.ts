import { beforeAll, describe, expect, it } from "vitest";
import { clock } from "@/server/clock";
import { db } from "@/server/db/client";
import { readEnv } from "@/server/env";
import { serveMetrics } from "@/server/front-door/metrics/server";
import { freePort } from "../../fakes/free-port";
import { connectAccount } from "../grants";
import { ownDatabase } from "../own-database";
import { newApplication } from "../service";
import { newOperator, type Operator } from "./staff-caller";

ownDatabase();

const MINUTE = 60_000;
let support: Operator;
let profiles: string[];

beforeAll(async () => {
  support = await newOperator("support");
  const application = await newApplication();
  const connected: string[] = [];
  for (let n = 0; n < 5; n++) connected.push((await connectAccount(application)).profileId);
  profiles = connected;
});

const minutesAgo = (minutes: number) => new Date(clock().now() - minutes * MINUTE);
const google = async () => (await support.api.providers.show()).find(({ provider }) => provider === "google");
const setSync = async (some: string[], data: object) => {
  await db().prisma.profileSync.updateMany({ where: { profileId: { in: some } }, data });
};

describe("a provider", () => {
  it("is fine while its mailboxes are read, and has those with a live push subscription counted", async () => {
    const read = minutesAgo(2);
    const [first = "", second = ""] = profiles;
    await setSync(profiles, { firstSync: false, lastSyncAt: minutesAgo(30), syncDueAt: minutesAgo(-30) });
    await setSync([first], { lastSyncAt: read, syncDueAt: minutesAgo(-60) });
    const watch = (channel: string, profileId: string, expiresAt: Date, resource: string | null = "r") => ({
      ...{ channel, profileId, expiresAt, resource, renewAt: expiresAt },
    });
    await db().prisma.providerWatch.createMany({
      data: [
        ...[watch("a", first, minutesAgo(-60)), watch("b", first, minutesAgo(-60))],
        ...[watch("c", second, minutesAgo(1)), watch("d", second, minutesAgo(-60), null)],
      ],
    });
    expect(await google()).toMatchObject({
      ...{ name: "Google", state: "ok", mailboxes: 5, failing: 0, errors: [], throttled_until: null, pushes: 1 },
      ...{ last_read_at: read.toISOString(), writes_waiting: 0, writes_due_since: null },
    });
  });

  it("doesn’t respond if it fails for three mailboxes, since the first of them", async () => {
    const since = minutesAgo(50);
    await setSync(profiles.slice(0, 2), { syncFailures: 4, syncError: "down", lastSyncAt: minutesAgo(40) });
    await setSync(profiles.slice(3, 4), { syncFailures: 4, syncError: "credentials_rejected" });
    expect(await google()).toMatchObject({ state: "ok", failing: 3 });
    await setSync(profiles.slice(2, 3), { syncFailures: 4, syncError: "down", lastSyncAt: since });
    const errors = [
      { error: "down", mailboxes: 3 },
      { error: "credentials_rejected", mailboxes: 1 },
    ];
    expect(await google()).toMatchObject({
      ...{ state: "not_responding", failing: 4, failing_since: since.toISOString(), errors },
    });
    await setSync(profiles.slice(4, 5), { throttledUntil: minutesAgo(-3) });
    expect(await google()).toMatchObject({ state: "not_responding", throttled: 1 });
    await setSync(profiles, { syncFailures: 0, syncError: null, throttledUntil: null });
  });

  it("is not to blame for refusing an application’s own OAuth client", async () => {
    const { applicationId } = await db().prisma.profile.findUniqueOrThrow({ where: { id: profiles[0] ?? "" } });
    const own = { id: "oac_providers", applicationId, provider: "google", clientId: "own", sealed: "x" } as const;
    await db().prisma.oauthClient.create({ data: { ...own, createdAt: minutesAgo(90) } });
    const of = (oauthClientId: string | null) =>
      db().prisma.profile.updateMany({ where: { id: { in: profiles } }, data: { oauthClientId } });
    await setSync(profiles, { syncFailures: 4, syncError: "misconfigured" });
    expect(await google()).toMatchObject({ state: "not_responding", failing: 5 });
    await of(own.id);
    expect(await google()).toMatchObject({
      state: "ok",
      failing: 5,
      errors: [{ error: "misconfigured", mailboxes: 5 }],
    });
    await setSync(profiles.slice(0, 3), { syncError: "down" });
    expect(await google()).toMatchObject({ state: "not_responding" });
    await of(null);
    await setSync(profiles, { syncFailures: 0, syncError: null });
  });

  it("limits requests for single mailboxes or for all, since when and until when", async () => {
    const [mailboxUntil, since, until] = [minutesAgo(-3), minutesAgo(9), minutesAgo(-5)];
    await setSync(profiles.slice(0, 1), { throttledUntil: mailboxUntil });
    await setSync(profiles.slice(1, 2), { throttledUntil: minutesAgo(1) });
    expect(await google()).toMatchObject({
      ...{ state: "rate_limiting", throttled: 1, throttled_all: false, throttled_since: null },
      throttled_until: mailboxUntil.toISOString(),
    });
    await db().prisma.providerPause.create({ data: { provider: "google", since, until } });
    expect(await google()).toMatchObject({
      ...{ throttled_all: true, throttled_since: since.toISOString(), throttled_until: until.toISOString() },
    });
    await db().prisma.providerPause.updateMany({ data: { until: minutesAgo(1) } });
    await setSync(profiles, { throttledUntil: null });
    expect(await google()).toMatchObject({ throttled_all: false, throttled_since: null, throttled_until: null });
  });
});

describe("GET /health/providers on the port for metrics", () => {
  it("responds with what the page shows, without IDs, and other paths and methods with 404 and 405", async () => {
    const port = await freePort();
    const end = await serveMetrics(readEnv({ METRICS_PORT: String(port) }));
    const origin = `http://127.0.0.1:${port}`;
    const response = await fetch(`${origin}/health/providers?x=1`);
    const body = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(JSON.parse(body)).toEqual({ providers: await support.api.providers.show() });
    expect(body).not.toMatch(/\b(app|acc|pro)_/);
    expect((await fetch(`${origin}/health/providers`, { method: "POST" })).status).toBe(405);
    expect((await fetch(`${origin}/health`)).status).toBe(404);
    await end();
  });
});
