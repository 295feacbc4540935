import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { schemaDiff } from "@/prisma/schema-diff.mjs";
import { readStructure } from "@/prisma/structure.mjs";
import { connect } from "@/server/db/client";
import { applyMigrations } from "@/server/db/migrations";
import { testDatabase } from "@/tests/fakes/test-database";

const STRUCTURE = "prisma/structure.sql";

async function structure() {
  const database = await testDatabase();
  const db = connect(database.url);
  try {
    return await readStructure((statement) => db.query(statement));
  } finally {
    await db.close();
    await database.close();
  }
}

it("schema.prisma and the migrations agree", async () => {
  expect(await schemaDiff({ applyMigrations })).toBe("");
});

it("a column that only the schema has is written into the next migration", async () => {
  const schema = await readFile("prisma/schema.prisma", "utf8");
  const changed = schema.replace("model Application {", "model Application {\n  colour String?");
  expect(await schemaDiff({ applyMigrations, schema: changed })).toContain(
    'ALTER TABLE "applications" ADD COLUMN     "colour" TEXT',
  );
});

it("structure.sql has every index, check, trigger, function, storage parameter and partition of the migrations", async () => {
  const { text } = await structure();
  if (process.env.RENEW) await writeFile(STRUCTURE, text);
  expect(await readFile(STRUCTURE, "utf8")).toBe(text);
});

it("a model of schema.prisma says what structure.sql has more of its table", async () => {
  const { more } = await structure();
  const schema = await readFile("prisma/schema.prisma", "utf8");
  const models = schema.matchAll(/^(?:\/\/\/ More in structure\.sql: (.*)\.\n)?model [\s\S]*?@@map\("(\w+)"\)/gm);
  const said = [...models].flatMap(([, kinds, table = ""]) => (kinds ? [[table, kinds.split(", ")]] : []));
  expect(Object.fromEntries(said)).toEqual(more);
});
