import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { GROUND, recordReplaced } from "@/tests/api/db/former-database";
import { testDatabase } from "@/tests/fakes/test-database";
import { killAll, type Service, start } from "@/tests/start/service";

const LATER = "29990101000000_later";
const folder = mkdtempSync(join(tmpdir(), "almanac-rolling-"));
const newer = join(folder, "migrations");
let database: Awaited<ReturnType<typeof testDatabase>>;
let running: Service;

beforeAll(async () => {
  database = await testDatabase();
  cpSync(resolve(import.meta.dirname, "../../prisma/migrations"), newer, { recursive: true });
  running = await start({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  });
}, 600_000);

afterAll(async () => {
  killAll();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function later(firstLine: string): void {
  mkdirSync(join(newer, LATER), { recursive: true });
  writeFileSync(join(newer, LATER, "migration.sql"), `${firstLine}\nCREATE TABLE later (id INT);`);
}

async function hasLater(): Promise<boolean> {
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query("SELECT to_regclass('later') IS NOT NULL AS there");
  await client.end();
  return rows[0].there;
}

const STOP_FIRST = "-- rolling: stop-first: the previous version reads what this drops";

describe("while a process of this version runs, a newer one", () => {
  it("does not apply a migration that must not run beside it, and says where it runs", async () => {
    later(STOP_FIRST);
    await expect(migrate(database.url, newer)).rejects.toThrow(
      /^The migration 29990101000000_later cannot run while processes of the previous version do: the previous version reads what this drops\. Stop them first: (127\.0\.0\.1|::1|this machine) \(connections: \d+\)\.$/,
    );
    expect(await hasLater()).toBe(false);
    expect((await fetch(`${running.origin}/health/ready`)).status).toBe(200);
  });

  it("applies it once that process has stopped", async () => {
    expect(await running.stop()).toBe(0);
    expect(await migrate(database.url, newer)).toEqual([LATER]);
  });
});

it("a process that knows the migration is no obstacle to it, nor is another program", async () => {
  const other = await testDatabase();
  later(STOP_FIRST);
  const names = [`almanac ${LATER}`, "almanac", "psql"];
  const clients = names.map((application_name) => new pg.Client({ connectionString: other.url, application_name }));
  for (const client of clients) await client.connect();
  expect(await migrate(other.url, newer)).toEqual([LATER]);
  for (const client of clients) await client.end();
  await other.close();
});

it("a safe migration is applied beside a process of the version before", async () => {
  const other = await testDatabase();
  later("-- rolling: safe: the previous version does not know the table");
  const older = new pg.Client({
    connectionString: other.url,
    application_name: "almanac 20261127192102_chores",
  });
  await older.connect();
  expect(await migrate(other.url, newer)).toEqual([LATER]);
  await older.end();
  await other.close();
});

it("a database of the migrations before 1.0 is not taken over beside a process that may know them", async () => {
  const other = await testDatabase();
  const older = new pg.Client({ connectionString: other.url, application_name: "almanac 20261127192102_chores" });
  await older.connect();
  const db = connect(other.url);
  await recordReplaced(db);
  await db.close();
  await expect(migrate(other.url, newer)).rejects.toThrow(
    /^The migration 20261126200000_ground cannot run while processes of the previous version do: .* Stop them first: /,
  );
  const { rows } = await older.query("SELECT FROM _prisma_migrations WHERE migration_name = $1", [GROUND]);
  expect(rows).toEqual([]);
  await older.end();
  expect(await migrate(other.url, newer)).toEqual([LATER]);
  await other.close();
});
