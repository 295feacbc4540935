import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { readStamp, sourceDigest } from "../../server/front-door/build-stamp.mjs";

/**
 * `npm run scale`, or `npm run scale deliveries syncs`: makes the production build when it is old, bundles the TypeScript of this folder and
 * runs it. Needs a PostgreSQL server that may create databases (FAULTS_DATABASE_URL) and a Redis (SCALE_REDIS_URL), by default this machine's.
 * With INNGEST_BASE_URL, INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY it drives the workers by that Inngest server too.
 */
const root = resolve(import.meta.dirname, "../..");
const out = resolve(root, ".next/scale");
if ((await readStamp(root)) !== (await sourceDigest(root))) await run(resolve(root, "server/front-door/build.mjs"));
mkdirSync(out, { recursive: true });
await build({
  entryPoints: ["scale", "receiver-process", "google-process"].map((name) =>
    resolve(import.meta.dirname, `${name}.ts`),
  ),
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  tsconfig: resolve(root, "tsconfig.json"),
});
await run(resolve(out, "scale.mjs"), ...process.argv.slice(2));

async function run(...args) {
  const child = spawn(process.execPath, args, { stdio: "inherit", cwd: root });
  const pass = (signal) => child.kill(signal);
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, pass);
  const [code] = await once(child, "exit");
  for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, pass);
  if (code !== 0) process.exit(code ?? 1);
}
