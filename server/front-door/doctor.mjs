// `npm run doctor`: examines an installation, also beside a running service. Plain JavaScript, because it comes before anything is compiled.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readStamp, sourceDigest } from "./build-stamp.mjs";

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
const { doctor } = await import(pathToFileURL(join(folder, "doctor.mjs")).href);
process.exit(await doctor({ root, source: process.env, args: process.argv.slice(2) }));
