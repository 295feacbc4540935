// Entry point of `npm run demo`: plain JavaScript, because it runs before anything is compiled.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const environmentFile = join(root, ".env");
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);

const outfile = join(root, ".next", "demo", "main.mjs");
await build({
  absWorkingDir: root,
  entryPoints: [join(root, "server", "demo", "main.ts")],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  logLevel: "warning",
});
const { main } = await import(pathToFileURL(outfile).href);
process.exitCode = await main({ root, parameters: process.argv.slice(2) });
