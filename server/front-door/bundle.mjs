import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { queryCompiler } from "./query-compiler.mjs";

/**
 * Compiles the front door, which Node cannot run as TypeScript, to `folder`, and what it loads later, which shares its modules; packages
 * stay outside.
 * @param {{ root: string, folder: string }} options
 */
export async function bundle({ root, folder }) {
  const here = join(root, "server", "front-door");
  await rm(folder, { recursive: true, force: true }); // names of shared files change with their content
  // Next writes this file too, but when a first start builds, Node has looked for it already and remembers that it was not there.
  await mkdir(folder, { recursive: true });
  await writeFile(join(dirname(folder), "package.json"), '{"type": "commonjs"}');
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: join(here, "main.ts"),
      "embedded-worker": join(here, "embedded-worker.mjs"),
      "empty-database": join(here, "empty-database.ts"),
      docs: join(root, "components", "docs", "routes.ts"),
      doctor: join(here, "doctor", "doctor.ts"),
      maintenance: join(here, "maintenance", "command.ts"),
      "restore-check": join(here, "restore-check", "restore-check.ts"),
    },
    splitting: true,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    plugins: [queryCompiler({ root, folder })],
    logLevel: "warning",
  });
}
