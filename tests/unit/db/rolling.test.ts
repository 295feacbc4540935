import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { rollingOf } from "@/server/db/migration-files";
import { onlineStatements } from "@/server/db/online-statements";
import { breakingStatements } from "@/tests/fakes/breaking-statements";
import { largeIndexes } from "@/tests/fakes/large-tables";

const folder = resolve(import.meta.dirname, "../../../prisma/migrations");
const names = readdirSync(folder).filter((name) => /^\d/.test(name));
const script = (name: string) => readFileSync(join(folder, name, "migration.sql"), "utf8");
const safe = (sql: string) => breakingStatements(`-- rolling: safe: it says so\n${sql}`);

describe("a migration and the previous version", () => {
  it.each(names)("%s says whether the two can run side by side, and why", (name) => {
    expect(rollingOf(script(name))?.why.length ?? 0).toBeGreaterThan(6);
  });

  it.each(names.filter((name) => rollingOf(script(name))?.isSafe))(
    "%s is safe, and does nothing that shows the opposite",
    (name) => {
      expect(breakingStatements(script(name))).toEqual([]);
    },
  );
});

describe("a migration that calls itself safe is not", () => {
  it.each([
    ['ALTER TABLE "events" DROP COLUMN "summary";'],
    ['ALTER TABLE "events" ADD COLUMN "a" INT,\n  DROP COLUMN "b";'],
    ['DROP TABLE "events";'],
    ['ALTER TABLE "events" RENAME TO "meetings";'],
    ['ALTER TABLE "events" RENAME COLUMN "summary" TO "title";'],
    ["ALTER TYPE \"provider\" RENAME VALUE 'a' TO 'b';"],
    ["ALTER TYPE \"provider\" ADD VALUE 'zoho';"],
    ['ALTER TABLE "events" ADD COLUMN "a" TEXT, ADD COLUMN "b" INT NOT NULL;'],
    ['ALTER TABLE "events" ALTER COLUMN "etag" SET NOT NULL;'],
    ['ALTER TABLE "events" ALTER COLUMN "etag" DROP DEFAULT;'],
    ['ALTER TABLE "events" ALTER COLUMN "etag" TYPE BYTEA USING NULL;'],
    ['ALTER TABLE "events" ADD CONSTRAINT "sound" CHECK ("starts" < "ends");'],
    ['CREATE UNIQUE INDEX "one" ON "events"("etag");'],
    ['DELETE FROM "events" WHERE "etag" = \'x\';'],
  ])("if it has %s", (sql) => {
    expect(safe(sql)).not.toEqual([]);
  });

  it.each([
    ['ALTER TABLE "events" ADD COLUMN "a" TEXT, ADD COLUMN "b" INT NOT NULL DEFAULT 0;'],
    ['CREATE INDEX "some" ON "events"("etag");'],
    ['DROP INDEX "some";'],
    [
      'CREATE TABLE "notes" ("id" TEXT NOT NULL);\nCREATE UNIQUE INDEX "one" ON "notes"("id");\nALTER TABLE "notes" ADD CONSTRAINT "n" CHECK (true);',
    ],
    ['-- DROP TABLE "events";'],
  ])("but may be with %s", (sql) => {
    expect(safe(sql)).toEqual([]);
  });
});

describe("an online migration", () => {
  const online = (sql: string) => onlineStatements("1_online", `-- rolling: online: a test\n${sql}`);

  it.each(names.filter((name) => rollingOf(script(name))?.isOnline))(
    "%s has nothing but what can be run again",
    (name) => {
      expect(onlineStatements(name, script(name)).length).toBeGreaterThan(0);
    },
  );

  it("is safe for the previous version", () => {
    expect(rollingOf("-- rolling: online: an index that it does not use")).toMatchObject({
      ...{ isSafe: true, isOnline: true },
    });
  });

  it.each([
    ['CREATE INDEX "some" ON "events"("etag");', "it keeps writes out"],
    ['ALTER TABLE "events" ADD COLUMN "a" TEXT;', "it can't be run again"],
    ['UPDATE "events" SET "a" = 1;', "it locks every row at once"],
    [
      'UPDATE "events" SET "a" = 1 WHERE "id" IN (SELECT "id" FROM "events" LIMIT 5 FOR UPDATE SKIP LOCKED);',
      "it may leave rows",
    ],
    ['DROP INDEX "some";', "it keeps reads out"],
    ['DROP INDEX CONCURRENTLY "some";', "it can't be run again"],
  ])("can't have %s, since %s", (sql) => {
    expect(() => online(sql)).toThrow(/^The online migration 1_online has a statement/);
  });

  it("reads its statements", () => {
    const batch = 'UPDATE "events" SET "a" = 1\nWHERE "id" IN (SELECT "id" FROM "events" WHERE "a" IS NULL LIMIT 500)';
    const index = 'CREATE INDEX CONCURRENTLY "some" ON "events"("etag") WHERE "a" = 1;';
    expect(online(`-- Why.\n${index}\n\n${batch};\nANALYZE "events";`)).toEqual([
      { kind: "index", index: { name: "some", table: "events", isUnique: false, rest: '("etag") WHERE "a" = 1' } },
      { kind: "batches", sql: batch },
      { kind: "once", sql: 'ANALYZE "events"' },
    ]);
  });
});

describe("an index of a large table", () => {
  /** Of versions in development, from before there were online migrations. */
  const before = [
    "20261128183404_receipts",
    "20261128191425_triggers",
    "20261128192554_times_of_bookings",
    "20261129015519_organizations",
    "20261129025728_searched_events",
    "20261129025824_alert_thresholds",
  ];
  const [ground = "", ...later] = names.toSorted();

  it.each(later.filter((name) => !before.includes(name)))("is not built in a transaction by %s", (name) => {
    expect(rollingOf(script(name))?.isOnline ? [] : largeIndexes(script(name))).toEqual([]);
  });

  it("is found, also of a part of it, where the migration does not create the table itself", () => {
    expect(before.filter((name) => largeIndexes(script(name)).length === 0)).toEqual([]);
    expect(largeIndexes('CREATE UNIQUE INDEX IF NOT EXISTS a ON ONLY "deliveries_history" (id);')).toEqual(["a"]);
    expect(largeIndexes('ALTER TABLE "events" ADD CONSTRAINT "b" UNIQUE ("etag");')).toEqual(["b"]);
    expect(largeIndexes('CREATE TABLE "events" ();\nCREATE INDEX "a" ON "events"("etag");')).toEqual([]);
    expect(largeIndexes(script(ground))).toEqual([]);
  });
});
