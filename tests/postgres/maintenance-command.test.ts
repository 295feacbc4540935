import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, type Database } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { carriedOut } from "@/server/front-door/maintenance/command";
import { registerApplication } from "@/server/store/applications/register";
import { freePort } from "@/tests/fakes/free-port";
import { type TestDatabase, testDatabase } from "@/tests/fakes/test-database";

let database: TestDatabase;
let db: Database;
let source: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url);
  source = { DATABASE_URL: database.url, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}` };
  provideEnv(source);
  const acme = { clientId: "acme", clientSecret: "a secret of acme", name: "Acme", redirectUris: [] };
  await registerApplication(db, { ...acme, compatibilityMode: false, plan: "standard" }, Date.now());
});

afterAll(async () => {
  await db.close();
  await database.close();
});

const run = (...args: string[]) => carriedOut({ source, args });

describe("npm run maintenance", () => {
  it("makes the service read-only for a time, says so, and ends it, and all of it is in the audit trail", async () => {
    expect(await run("status")).toEqual({ isFault: false, text: "No maintenance.\n" });
    const on = await run("on", "--for", "2h", "--note", "moving the database");
    expect(on.text).toMatch(
      /^The service is read-only since \S+Z, until \S+Z\. By Command line: moving the database\.\n$/,
    );
    const [row] = await db.prisma.maintenanceSwitch.findMany();
    expect(row).toMatchObject({ id: "service", applicationId: null });
    expect(Number(row?.endsAt) - Number(row?.since)).toBe(7_200_000);
    expect((await run("off")).text).toBe("No maintenance.\n");
    const entries = await db.prisma.auditEntry.findMany({ where: { object: "service" }, orderBy: { id: "asc" } });
    expect(entries).toMatchObject([
      { action: "maintenance.started", actor: "Command line", detail: { minutes: 120, note: "moving the database" } },
      { action: "maintenance.ended", actor: "Command line" },
    ]);
  });

  it("has the requests of one application refused until it is turned off", async () => {
    expect((await run("on", "--application", "acme")).text).toMatch(
      /^Requests of Acme are refused since \S+, until it is turned off\. By Command line\.\n$/,
    );
    expect((await run("off")).isFault).toBe(true); // the service is not in maintenance
    expect((await run("off", "--application", "acme")).isFault).toBe(false);
  });

  it.each([
    [[], "Usage:"],
    [["begin"], "Usage:"],
    [["on", "--until", "noon"], "Usage:"],
    [["on", "--for", "soon"], "--for is a time such as 30m or 2h"],
    [["on", "--for", "25h"], "--for is a time"],
    [["on", "--application", "nobody"], "No application has the client ID nobody."],
    [["off"], "Maintenance is already over."],
  ])("is told what is wrong: %o", async (args, words) => {
    expect(await run(...args)).toEqual({ isFault: true, text: expect.stringContaining(words) });
    expect((await run("status")).text).toBe("No maintenance.\n");
  });

  it("says that the database is away", async () => {
    const away = { ...source, DATABASE_URL: `postgresql://me:pw-of-me@127.0.0.1:${await freePort()}/almanac` };
    const { isFault, text } = await carriedOut({ source: away, args: ["status"] });
    expect(isFault).toBe(true);
    expect(text).toMatch(/^The database can't be used \(/);
    expect(text).not.toContain("pw-of-me");
  });
});
