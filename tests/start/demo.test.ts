import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/server/db/client";
import { staff } from "@/server/demo/staff-context";
import { provideEnv } from "@/server/env";
import { freePort } from "@/tests/fakes/free-port";
import { type DemoRun, killedDemo, rowsOfTables, runDemo } from "@/tests/start/demo-run";
import { killAll, type Service, start } from "@/tests/start/service";

const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-demo-"));
const url = `postgresql://almanac@localhost:5432/postgres?host=${encodeURIComponent(join(DATA_DIR, "socket"))}&sslmode=disable`;
let environment: Record<string, string>;
let service: Service;
let before: Record<string, number>;
let filled: DemoRun;

const demo = (...parameters: string[]) => runDemo(service.origin, environment, ...parameters);
/** As the pages ask. */
const pages = () => staff({ db: db() }, Date.now());
const names = async () => (await pages().applications.list()).map(({ name }) => name).sort();

beforeAll(async () => {
  environment = { DATA_DIR, CALLBACK_ALLOWED_ORIGINS: `http://127.0.0.1:${await freePort()}` };
  service = await start(environment);
  const { ENCRYPTION_KEYS } = JSON.parse(readFileSync(join(DATA_DIR, "secrets.json"), "utf8"));
  provideEnv({ DATABASE_URL: url, ENCRYPTION_KEYS, BASE_URL: service.origin }); // Vitest has a BASE_URL of its own
  before = await rowsOfTables(url);
  await killedDemo(service.origin, environment, "A month of webhooks");
  expect(await names()).toContain("Lumen CRM");
  filled = await demo();
}, 600_000);

afterAll(async () => {
  await db().close();
  await service?.stop();
  killAll();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

describe("npm run demo", () => {
  it("fills a running service, after a run that was killed too, and says what to look at", () => {
    expect([filled.code, filled.stderr]).toEqual([0, ""]);
    expect(filled.stdout).toContain("An earlier run did not finish: removing what it created.");
    expect(filled.stdout).toMatch(/Filled in \d+ s: 4 applications, \d+ accounts \(6 of them application calendars\)/);
    expect(filled.stdout).toContain(
      `${service.origin.replace("127.0.0.1", "localhost")}/dashboard/endpoints?state=failing`,
    );
    expect(filled.stdout).not.toContain("receiver could be started");
  });

  it("shows a living installation on the overview", async () => {
    expect(await names()).toEqual([
      "Demo",
      "Harbor Rooms",
      "Lumen CRM",
      "Northwind Booking",
      "Quill Recruiting (pilot)",
    ]);
    const overview = await pages().overview.show();
    expect(overview.requestsPerMinute.filter(({ count }) => count > 0).length).toBeGreaterThan(50);
    expect(overview.throttledApplications).toMatchObject([{ name: "Lumen CRM" }]);
    expect(overview.mailboxes).toMatchObject({ disconnected: 3, failing: 1, late: 0 });
    const failing = overview.failingEndpoints.items.map(({ endpoint, lastError }) => [endpoint, lastError]);
    expect(failing).toContainEqual(["legacy.lumen-crm.example/calendar-sync", "dns"]);
    expect(failing.some(([endpoint]) => endpoint?.endsWith("/signage"))).toBe(true);
  });

  it("has a month of webhooks in every state, and receivers that accepted, failed, hung and were gone", async () => {
    const { deliveries } = pages();
    const chart = await deliveries.chart({ hours: 168 });
    const days = new Set(chart?.bars.filter(({ delivered }) => delivered > 0).map(({ at }) => at.slice(0, 10)));
    expect(days.size).toBeGreaterThanOrEqual(7);
    const oldest = await db().prisma.delivery.findFirst({ orderBy: { createdAt: "asc" } });
    expect(Date.now() - (oldest?.createdAt.getTime() ?? 0)).toBeGreaterThan(28 * 86_400_000);
    for (const state of ["pending", "delivered", "failed"] as const)
      expect([state, (await deliveries.list({ state: [state] })).items.length > 0]).toEqual([state, true]);
    const endpoints = (await pages().endpoints.list({ limit: 100 })).items;
    const stateOf = (path: string) => endpoints.find(({ endpoint }) => endpoint.endsWith(path))?.state;
    expect(["/displays", "/signage", "/lobby", "/retired"].map(stateOf)).toEqual([
      "active",
      "failing",
      "paused",
      "closed",
    ]);
  });

  it("has accounts of every provider, and no sync, write or revocation that could ever ask one of them", async () => {
    const { prisma } = db();
    const profiles = await prisma.profile.groupBy({ by: ["provider"] });
    const providers = profiles.map(({ provider }) => provider).sort();
    expect(providers).toEqual(["caldav", "google", "hosted", "icloud", "microsoft", "outlook"]);
    expect(await prisma.profile.count({ where: { credential: { not: null } } })).toBe(0);
    expect(await prisma.profileSync.count({ where: { syncDueAt: { not: null } } })).toBe(0);
    const isClaimed = { suspended: false, refusedAt: null };
    expect(await prisma.providerWrite.count({ where: isClaimed })).toBe(0);
  });

  it("has requests that were refused, by what was wrong", async () => {
    const groups = await pages().requests.errors({});
    const keys = groups.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(["errors.required", "errors.invalid", "401", "429"]));
  });

  it("shows the same to the API of an application as it would of real accounts", async () => {
    const page = await fetch(/https?:\S+authorize\S+/.exec(filled.stdout)?.[0] ?? "");
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Northwind Booking")]);
  });

  it("fills nothing twice", async () => {
    const rows = await rowsOfTables(url);
    const again = await demo();
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.stdout).toContain("The demo is there already.");
    const { accounts, deliveries, operators } = await rowsOfTables(url);
    expect({ accounts, deliveries, operators }).toEqual({
      ...{ accounts: rows.accounts, deliveries: rows.deliveries, operators: rows.operators },
    });
  });

  it("refuses parameters that it does not know", async () => {
    const { code, stdout, stderr } = await demo("--delete");
    expect([code, stdout, stderr]).toEqual([1, "", "Usage: npm run demo [-- --remove | -- --force]\n"]);
  });

  it("removes all that it made, and says that the audit trail stays", async () => {
    const removed = await demo("--remove");
    expect([removed.code, removed.stderr]).toEqual([0, ""]);
    expect(removed.stdout).toMatch(/^Removed 4 applications and \d+ accounts .* The audit trail keeps its \d+ entries/);
    expect(await rowsOfTables(url)).toEqual(before);
    expect((await demo("--remove")).stdout).toBe("There is no demo to remove.\n");
  });

  it("waits for a service that is busy", async () => {
    const statuses = [503, 503, 200];
    const busy = createServer((_, res) => res.writeHead(statuses.shift() ?? 200).end("{}"));
    await once(busy.listen(0, "127.0.0.1"), "listening");
    const origin = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    const { code, stderr } = await runDemo(origin, { ...environment, DATA_DIR: join(DATA_DIR, "none") });
    busy.close();
    expect([code, stderr, statuses]).toEqual([1, expect.stringContaining("No Almanac uses the embedded"), []]);
  });

  it("says where nothing runs", async () => {
    const { code, stderr } = await runDemo("http://127.0.0.1:9", environment);
    expect([code, stderr]).toEqual([1, expect.stringContaining("No Almanac responds at http://localhost:9.")]);
  });
});
