import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { schemaDiff } from "@/prisma/schema-diff.mjs";
import { applyMigrations } from "@/server/db/migrations";

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
