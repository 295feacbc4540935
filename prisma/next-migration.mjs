// `node prisma/next-migration.mjs add_color`: writes the migration that brings prisma/migrations up to prisma/schema.prisma.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { schemaDiff } from "./schema-diff.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const name = process.argv[2] ?? "";
if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  process.stderr.write("Name the migration with a-z, 0-9 and _, for example add_color.\n");
  process.exit(1);
}

const sql = await schemaDiff({ applyMigrations: await runner() });
if (sql === "") {
  process.stdout.write("prisma/migrations and prisma/schema.prisma match. Nothing to write.\n");
} else {
  const moment = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const folder = join(here, "migrations", `${moment}_${name}`);
  await mkdir(folder);
  await writeFile(join(folder, "migration.sql"), sql);
  process.stdout.write(
    `${join("prisma", "migrations", `${moment}_${name}`, "migration.sql")} was written. Review it, and renew prisma/structure.sql (CONTRIBUTING.md).\n`,
  );
}

/** Loads the service's own runner, which is TypeScript. */
async function runner() {
  const root = dirname(here);
  const outfile = join(root, "node_modules", ".cache", "almanac", "migrations.mjs");
  const entry = join(root, "server", "db", "migrations.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, packages: "external", platform: "node", format: "esm" });
  return (await import(pathToFileURL(outfile).href)).applyMigrations;
}
