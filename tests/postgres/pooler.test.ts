import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepsStatements } from "@/server/front-door/pooler";
import { type Pooler, startPgbouncer } from "@/tests/fakes/pgbouncer";
import { type TestDatabase, testDatabase } from "@/tests/fakes/test-database";
import { killAll, type Service, start } from "@/tests/start/service";

const client = { client_id: "pooled", client_secret: "a secret of the pooler test" };
const WARNING = "the connection pooler forgets prepared statements";
const AT_ONCE = 8;
const ENCRYPTION_KEYS = `k1:${randomBytes(32).toString("base64")}`;
const folder = mkdtempSync(join(tmpdir(), "almanac-pooler-"));
let database: TestDatabase;
const poolers: Record<string, Pooler> = {};

beforeAll(async () => {
  database = await testDatabase();
  for (const mode of ["session", "transaction"] as const) poolers[mode] = await startPgbouncer(database.url, mode);
});

afterAll(async () => {
  killAll();
  for (const pooler of Object.values(poolers)) await pooler.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a named statement is kept between transactions", () => {
  it("by a server, and by a pooler in session mode", async () => {
    expect(await keepsStatements(database.url)).toBe(true);
    expect(await keepsStatements(poolers.session?.url ?? "")).toBe(true);
  });

  it("by none in transaction mode that keeps no account of them", async () => {
    for (let i = 0; i < 5; i++) expect(await keepsStatements(poolers.transaction?.url ?? "")).toBe(false);
  });
});

describe("a process behind a pooler", () => {
  const started = (mode: string) =>
    start({
      DATABASE_URL: poolers[mode]?.url ?? "",
      DATA_DIR: join(folder, mode),
      ENCRYPTION_KEYS,
      BOOTSTRAP_APPLICATIONS: JSON.stringify([{ name: "Pooled", ...client, client_id: `pooled-${mode}` }]),
    });

  it("in transaction mode without prepared statements goes on without them, and says so", async () => {
    const service = await started("transaction");
    expect(service.stderr()).toContain(WARNING);
    const statuses = await writesAtOnce(service, "pooled-transaction");
    expect(new Set(statuses)).toEqual(new Set([202]));
    await service.stop();
  }, 300_000);

  it("in session mode has them", async () => {
    const service = await started("session");
    expect(service.stderr()).not.toContain(WARNING);
    const statuses = await writesAtOnce(service, "pooled-session");
    expect(new Set(statuses)).toEqual(new Set([202]));
    await service.stop();
  }, 300_000);
});

/** Writes events to calendars of their own, several at once and one after another, so that each connection of the pooler has had most statements. */
async function writesAtOnce(service: Service, client_id: string): Promise<number[]> {
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const one = async (name: string) => {
    const opened = await post(service, "/v1/application_calendars", {
      ...client,
      client_id,
      application_calendar_id: name,
    });
    const { access_token } = await opened.json();
    const headers = { authorization: `Bearer ${access_token}` };
    const { calendars } = await (await fetch(`${service.origin}/v1/calendars`, { headers })).json();
    const path = `/v1/calendars/${calendars[0].calendar_id}/events`;
    const statuses: number[] = [];
    for (const summary of ["new", "changed", "changed again"]) {
      const body = { event_id: "e", summary, start: `${day}T10:00:00Z`, end: `${day}T11:00:00Z` };
      statuses.push((await post(service, path, body, headers)).status);
    }
    return statuses;
  };
  return (await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => one(`calendar-${i}`)))).flat();
}

function post(service: Service, path: string, body: object, headers: Record<string, string> = {}) {
  return fetch(service.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
