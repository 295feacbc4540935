// `npm run build`: Next's production build, the compiled front door, what the documentation's pages load, an empty embedded database, and a stamp that says what they were made of.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeBuildInfo } from "./build-info.mjs";
import { removeStamp, sourceDigest, writeStamp } from "./build-stamp.mjs";
import { bundle } from "./bundle.mjs";
import { compileDocs } from "./docs-files.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

await removeStamp(root);
// Taken before: what changes during the build makes the next start build again.
const digest = await sourceDigest(root);
process.exitCode = await nextBuild();
if (process.exitCode === 0) {
  const folder = join(root, ".next", "front-door");
  await bundle({ root, folder });
  await compileDocs(root);
  const { createEmptyDatabase } = await import(pathToFileURL(join(folder, "empty-database.mjs")).href);
  await createEmptyDatabase(root);
  await writeBuildInfo(root);
  await writeStamp(root, digest);
}

/**
 * Runs `next build` in a process of its own and returns its exit code.
 * @returns {Promise<number>}
 */
function nextBuild() {
  const next = createRequire(join(root, "package.json")).resolve("next/dist/bin/next");
  const child = spawn(process.execPath, [next, "build"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
}
