import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readStamp, sourceDigest } from "./build-stamp.mjs";

/**
 * Runs a command of the bundle, also beside a running service, and exits with its code. Plain JavaScript, because it comes before anything is compiled.
 * @param {string} file of the bundle, without its ending
 * @param {(module: Record<string, Function>) => Function} choose the command of its exports
 */
export async function runCommand(file, choose) {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const environmentFile = join(root, ".env");
  if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
  process.env.NODE_ENV = "production";
  const isFresh = (await readStamp(root)) === (await sourceDigest(root));
  // Beside the front door of a process that may run.
  const folder = join(root, ".next", isFresh ? "front-door" : "doctor");
  if (!isFresh) {
    const { bundle } = await import("./bundle.mjs");
    await bundle({ root, folder });
  }
  const run = choose(await import(pathToFileURL(join(folder, `${file}.mjs`)).href));
  process.exit(await run({ root, source: process.env, args: process.argv.slice(2) }));
}
