// Computes what prisma/migrations lacks compared to prisma/schema.prisma. The diff sees no CHECKs, functions, triggers, partial or expression indexes.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { PrismaPGlite } from "pglite-prisma-adapter";

const here = dirname(fileURLToPath(import.meta.url));
const NO_CHANGE = 0;

/**
 * Returns the SQL of the next migration, "" when the two agree.
 * @param {{ applyMigrations: typeof import("../server/db/migrations.ts").applyMigrations, schema?: string }} given the runner, and the
 *   text of another schema
 * @returns {Promise<string>}
 */
export async function schemaDiff({ applyMigrations, schema }) {
  const content = schema ?? (await readFile(join(here, "schema.prisma"), "utf8"));
  const database = new PGlite();
  try {
    await applyMigrations(
      {
        run: (script) => database.exec(script),
        rows: async (statement, values) => (await database.query(statement, values)).rows,
      },
      join(here, "migrations"),
    );
    return await diff(database, content);
  } finally {
    await database.close();
  }
}

/**
 * Compares a database with the schema `content`. Returns the SQL that would make them equal, or nothing when they are.
 * @param {PGlite} database
 * @param {string} content
 */
async function diff(database, content) {
  engineLoading ??= loadEngine();
  const { SchemaEngine } = await engineLoading;
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(database));
  const engine = await SchemaEngine.new({ datamodels: [["schema.prisma", content]] }, () => {}, factory);
  const { exitCode, stdout } = await engine.diff({
    from: { tag: "schemaDatasource", files: [{ path: "schema.prisma", content }], configDir: here },
    to: { tag: "schemaDatamodel", files: [{ path: "schema.prisma", content }] },
    script: true,
    shadowDatabaseUrl: null,
    exitCode: true,
    filters: { externalTables: ["public.deliveries_history"], externalEnums: [] },
  });
  return exitCode === NO_CHANGE ? "" : stdout;
}

/** Loaded once: a second instance would take the bindings away from the first. @type {ReturnType<typeof loadEngine> | undefined} */
let engineLoading;

/** Instantiates the WebAssembly itself, because the package's entry is for bundlers. */
async function loadEngine() {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const file = join(dirname(entry), "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(await readFile(file), { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  /** @type {() => void} */ (instance.exports.__wbindgen_start)();
  return bindings;
}
