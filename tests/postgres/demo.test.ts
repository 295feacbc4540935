import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/tests/fakes/test-database";
import { rowsOfTables, runDemo } from "@/tests/start/demo-run";
import { killAll, type Service, start } from "@/tests/start/service";

const DATA_DIR = mkdtempSync(join(tmpdir(), "almanac-demo-server-"));
let database: Awaited<ReturnType<typeof testDatabase>>;
let environment: Record<string, string>;
let service: Service;

beforeAll(async () => {
  database = await testDatabase();
  const acme = { name: "Acme", client_id: "acme", client_secret: "a secret of the demo test" };
  environment = {
    ...{ DATABASE_URL: database.url, DATA_DIR, ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}` },
    BOOTSTRAP_APPLICATIONS: JSON.stringify([acme]),
  };
  service = await start(environment);
});

afterAll(async () => {
  await service?.stop();
  killAll();
  await database.close();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

const demo = (...parameters: string[]) => runDemo(service.origin, environment, ...parameters);

it("a database with applications of its own is filled by force alone, and left as it was", async () => {
  const before = await rowsOfTables(database.url);
  const refused = await demo();
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toBe(
    "The database of DATABASE_URL has an application already. To fill it with a demo anyway, run npm run demo -- --force.\n",
  );
  expect(await rowsOfTables(database.url)).toEqual(before);

  const filled = await demo("--force");
  expect([filled.code, filled.stderr]).toEqual([0, ""]);
  expect(filled.stdout).toContain("Almanac does not allow receivers at http://127.0.0.1:9998.");
  const rows = await rowsOfTables(database.url);
  expect(rows.applications).toBe((before.applications ?? 0) + 4);

  expect((await demo("--remove")).code).toBe(0);
  expect(await rowsOfTables(database.url)).toEqual(before);
});
