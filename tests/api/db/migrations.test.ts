import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrationConnection } from "@/server/db/migration-records";
import { checkMigrations, migrate } from "@/server/db/migrations";
import { embedded, type TestDatabase } from "../../fakes/test-database";

let database: TestDatabase;
let dataDir: string;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "almanac-migrations-"));
  database = await embedded();
  client = new pg.Client(database.url);
  await client.connect();
}, 300_000);

afterAll(async () => {
  await client.end();
  await database.close();
  rmSync(dataDir, { recursive: true });
});

beforeEach(async () => {
  await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  folder = mkdtempSync(join(dataDir, "migrations-"));
  write("20260101000000_one", "CREATE TABLE one (id INT);\nINSERT INTO one VALUES (1);");
  write("20260102000000_two", "CREATE TYPE kind AS ENUM ('a');");
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "migration.sql"), sql);
}

const names = ["20260101000000_one", "20260102000000_two"];
const again = () => migrate(database.url, folder);
const records = async () => (await client.query("SELECT * FROM _prisma_migrations ORDER BY migration_name")).rows;

describe("the migrations", () => {
  it("are applied in the order of their names, once", async () => {
    expect(await again()).toEqual(names);
    expect(await again()).toEqual([]);
    expect((await client.query("SELECT * FROM one")).rows).toEqual([{ id: 1 }]);
  });

  it("are recorded as Prisma records them", async () => {
    await again();
    const [one] = await records();
    const sql = "CREATE TABLE one (id INT);\nINSERT INTO one VALUES (1);";
    expect(one).toMatchObject({
      migration_name: names[0],
      checksum: createHash("sha256").update(sql).digest("hex"),
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
    });
    expect(one.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(one.finished_at.getTime()).toBeGreaterThanOrEqual(one.started_at.getTime());
  });

  it("run one after the other, so that one may use an enum value that the one before added", async () => {
    write("20260103000000_three", "ALTER TYPE kind ADD VALUE 'b';");
    write("20260104000000_four", "CREATE TABLE four (kind kind DEFAULT 'b'); INSERT INTO four DEFAULT VALUES;");
    expect(await again()).toHaveLength(4);
  });

  it("are applied once when two processes start at the same time", async () => {
    const applied = await Promise.all([again(), again(), again()]);
    expect(applied.flat().toSorted()).toEqual(names);
    expect(await records()).toHaveLength(2);
  });

  it("leave the database as it was when one fails, and go on when it is mended", async () => {
    write("20260103000000_three", "CREATE TABLE three (id INT); SELECT 1/0;");
    await expect(again()).rejects.toThrow(
      "The migration 20260103000000_three failed and was rolled back: division by zero.",
    );
    expect(await records()).toHaveLength(2);
    expect((await client.query("SELECT to_regclass('three') AS found")).rows).toEqual([{ found: null }]);
    write("20260103000000_three", "CREATE TABLE three (id INT);");
    expect(await again()).toEqual(["20260103000000_three"]);
  });
});

describe("an online migration", () => {
  const batch = "UPDATE one SET id = 2\nWHERE id IN (SELECT id FROM one WHERE id = 1 LIMIT 1);";
  const online = `-- rolling: online: for a test\nCREATE INDEX CONCURRENTLY one_id ON one (id);\n${batch}\nDROP INDEX CONCURRENTLY IF EXISTS other;`;

  it.each(["new", "embedded"])("runs in its order and in its transaction on a database that is %s", async (kind) => {
    if (kind === "embedded") await again();
    mkdirSync(join(folder, "20260103000000_three"));
    writeFileSync(join(folder, "20260103000000_three", "migration.sql"), online);
    write("20260104000000_four", "CREATE TABLE four (id INT);");
    expect((await again()).slice(-2)).toEqual(["20260103000000_three", "20260104000000_four"]);
    expect((await client.query("SELECT * FROM one")).rows).toEqual([{ id: 2 }]);
    expect((await client.query("SELECT to_regclass('one_id') IS NOT NULL AS there")).rows).toEqual([{ there: true }]);
    expect((await records())[2]).toMatchObject({ logs: "rolling: safe" });
  });

  it("that fails there leaves the database as it was", async () => {
    await again();
    mkdirSync(join(folder, "20260103000000_three"));
    writeFileSync(join(folder, "20260103000000_three", "migration.sql"), `${online}\nANALYZE missing;`);
    await expect(again()).rejects.toThrow('relation "missing" does not exist');
    expect((await client.query("SELECT * FROM one")).rows).toEqual([{ id: 1 }]);
  });
});

describe("a database that a newer version has migrated", () => {
  const newer = "20260103000000_newer";
  const migrateAndForget = async (firstLine: string) => {
    write(newer, `${firstLine}\nCREATE TABLE three (id INT);`);
    await again();
    rmSync(join(folder, newer), { recursive: true });
  };

  it("is still good for the version before, where the migration says so", async () => {
    await migrateAndForget("-- rolling: safe: a table that the previous version does not know");
    expect(await again()).toEqual([]);
    expect((await records()).map(({ logs }) => logs)).toEqual([null, null, "rolling: safe"]);
  });

  it.each(["-- rolling: stop-first: the previous version reads what this drops", "-- A table."])(
    "is refused where its first line is %s",
    async (firstLine) => {
      await migrateAndForget(firstLine);
      await expect(again()).rejects.toThrow(
        /^The database is newer than this version of Almanac: .*20260103000000_newer/,
      );
    },
  );
});

describe("a database is refused in one sentence", () => {
  it("when it is newer than the code", async () => {
    await again();
    rmSync(join(folder, "20260102000000_two"), { recursive: true });
    await expect(again()).rejects.toThrow(/^The database is newer than this version of Almanac: .*20260102000000_two/);
  });

  it("when an applied migration was changed", async () => {
    await again();
    write("20260101000000_one", "CREATE TABLE one (id BIGINT);");
    await expect(again()).rejects.toThrow(/^The migration 20260101000000_one was changed after/);
  });

  it("when a migration began and never ended", async () => {
    await again();
    await client.query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_two'");
    await expect(again()).rejects.toThrow(/20260102000000_two started but never finished/);
  });

  it("but not for one that was rolled back by hand", async () => {
    await again();
    await client.query(
      "DROP TYPE kind; UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name LIKE '%_two'",
    );
    expect(await again()).toEqual(["20260102000000_two"]);
  });
});

describe("a migration that replaces others", () => {
  const ground = "20260102500000_ground";
  const three = "20260103000000_three";
  const lines = async () =>
    (await records()).map(({ migration_name, checksum }) => `${checksum}  ${migration_name}/migration.sql\n`).join("");
  /** This version's folder after the last one's, whose records the database has. */
  const nextVersion = (replaced: string) => {
    for (const name of names) rmSync(join(folder, name), { recursive: true });
    write(ground, "-- rolling: stop-first: for a test\nCREATE TABLE one (id INT);\nCREATE TYPE kind AS ENUM ('a');");
    writeFileSync(join(folder, ground, "replaces.sha256"), replaced);
  };
  const recorded = async () => (await records()).map(({ migration_name }) => migration_name);
  const refused = async (reason: RegExp) => {
    const before = await records();
    await expect(again()).rejects.toThrow(reason);
    const connection = migrationConnection(client);
    await expect(checkMigrations(connection, folder)).rejects.toThrow(reason);
    expect(await records()).toEqual(before);
  };

  it("takes the place of exactly those, runs nothing, and is followed by the next one", async () => {
    await again();
    nextVersion(await lines());
    write(three, "-- rolling: safe: for a test\nCREATE TABLE three (id INT);");
    const stopFirst: string[] = [];
    expect(await migrate(database.url, folder, (name) => stopFirst.push(name))).toEqual([three]);
    expect(stopFirst).toEqual([ground]);
    expect((await records()).map(({ migration_name, logs }) => [migration_name, logs])).toEqual([
      [ground, null],
      [three, "rolling: safe"],
    ]);
    expect((await client.query("SELECT * FROM one")).rows).toEqual([{ id: 1 }]);
    expect(await again()).toEqual([]);
  });

  it("takes their place beside newer ones", async () => {
    write(three, "-- rolling: safe: for a test\nCREATE TABLE three (id INT);");
    await again();
    nextVersion((await lines()).split("\n").slice(0, 2).join("\n"));
    expect(await again()).toEqual([]);
    expect(await recorded()).toEqual([ground, three]);
  });

  it("takes it once when several processes start at the same time", async () => {
    await again();
    nextVersion(await lines());
    expect((await Promise.all([again(), again(), again()])).flat()).toEqual([]);
    expect(await recorded()).toEqual([ground]);
  });

  it("is applied to a new database", async () => {
    await again();
    nextVersion(await lines());
    await client.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    expect(await again()).toEqual([ground]);
  });

  it("refuses a database that has only some of them, in a sentence that says what to do", async () => {
    await again();
    nextVersion(await lines());
    await client.query("DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_one'");
    await refused(
      /^Start version 1\.0\.0-rc\.1 on this database once, then this version: it has 1 of the 2 migrations that 20260102500000_ground replaces, and that version applies the others\.$/,
    );
  });

  it("refuses a database where one of them was another", async () => {
    await again();
    nextVersion(await lines());
    await client.query("UPDATE _prisma_migrations SET checksum = 'other' WHERE migration_name LIKE '%_two'");
    await refused(/^Restore a backup or start on an empty database: the migration 20260102000000_two of this one/);
  });

  it("refuses a database where one of them never ended, and one that is newer", async () => {
    await again();
    nextVersion(await lines());
    await client.query("UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_two'");
    await refused(/20260102000000_two started but never finished/);
    await client.query(
      "UPDATE _prisma_migrations SET finished_at = now(); INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '20260104000000_newer', now())",
    );
    await refused(/^The database is newer than this version of Almanac: .*20260104000000_newer/);
  });

  it("keeps the version before from starting again, which would apply them again", async () => {
    await again();
    const before = folder;
    folder = mkdtempSync(join(dataDir, "migrations-"));
    cpSync(before, folder, { recursive: true });
    nextVersion(await lines());
    await again();
    folder = before;
    await refused(/^The database is newer than this version of Almanac: .*20260102500000_ground/);
  });
});
