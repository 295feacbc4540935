import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { rollingOf } from "@/server/db/migration-files";
import { breakingStatements } from "@/tests/fakes/breaking-statements";

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
