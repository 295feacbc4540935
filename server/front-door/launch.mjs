// What `npm start` and `npm run dev` run. Plain JavaScript, because it comes before anything is compiled.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

// What is said on a full disk, or to nobody, must not end the process (server/log-lines.ts).
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Almanac cannot start: it needs Node.js 20.19 or newer, but this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const isDev = process.argv.includes("--dev");
const environmentFile = join(root, ".env");
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);
process.env.NODE_ENV = isDev ? "development" : "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
if (!process.env.DATABASE_URL) {
  // By itself V8 keeps up to 250 MB of garbage before it first looks for any. On a newcomer's machine memory counts for more than a few milliseconds.
  setFlagsFromString("--heap-growing-percent=20");
  // By itself V8 optimizes at the start what the embedded database does there and hardly ever again: a quarter of what a start costs (ADR 62).
  setFlagsFromString("--wasm-tiering-budget=20000000");
}

const { readStamp, sourceDigest } = await import("./build-stamp.mjs");
const isFresh = !isDev && (await readStamp(root)) === (await sourceDigest(root));
const folder = join(root, ".next", isDev ? "front-door-dev" : "front-door");
if (!isFresh) await compile();
const { main } = await import(pathToFileURL(join(folder, "main.mjs")).href);
await main({ root, isDev, source: process.env, build: () => isFresh || build() });

/**
 * Compiles the front door alone, which takes no time, so that a fault in the configuration shows before a build of a
 * minute.
 */
async function compile() {
  const { bundle } = await import("./bundle.mjs");
  await bundle({ root, folder });
  if (!isDev) return;
  const { keepDocsCompiled } = await import("./docs-files.mjs");
  await keepDocsCompiled(root);
}

/**
 * Builds Almanac in a process of its own, shows the progress, and reports whether it succeeded. Prints the output only
 * of a build that fails.
 * @returns {Promise<boolean>}
 */
async function build() {
  const { showProgress } = await import("./build-progress.mjs");
  const end = showProgress("Building Almanac. This takes a minute or two, and is needed only after a change");
  const child = spawn(process.execPath, [join(root, "server", "front-door", "build.mjs")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  process.once("exit", () => child.kill());
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => child.once("close", resolve));
  end((took) => (code === 0 ? `Built in ${took}. Starting…` : `The build failed after ${took}.`));
  if (code !== 0) process.stderr.write(Buffer.concat(output));
  return code === 0;
}
