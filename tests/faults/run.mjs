import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";
import { readStamp, sourceDigest } from "../../server/front-door/build-stamp.mjs";

/**
 * `npm run faults`, or `npm run faults kill-9 clock`: makes the production build when it is old, bundles the TypeScript of this
 * folder and runs it. Needs a PostgreSQL server that may create databases (FAULTS_DATABASE_URL), Debian's own
 * PostgreSQL programs, and libfaketime. `UPGRADE_FROM=<folder of an older version's build> npm run faults upgrade` upgrades its databases,
 * and `side-by-side` runs both versions on one.
 */
const root = resolve(import.meta.dirname, "../..");
const out = resolve(root, ".next/faults");
if ((await readStamp(root)) !== (await sourceDigest(root))) await run(resolve(root, "server/front-door/build.mjs"));
mkdirSync(out, { recursive: true });
await build({
  entryPoints: {
    faults: resolve(import.meta.dirname, "faults.ts"),
    attacker: resolve(import.meta.dirname, "neighbours/attacker.ts"),
  },
  outdir: out,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  tsconfig: resolve(root, "tsconfig.json"),
});
await run(resolve(out, "faults.mjs"), ...process.argv.slice(2));

async function run(...args) {
  const child = spawn(process.execPath, args, { stdio: "inherit", cwd: root });
  const pass = (signal) => child.kill(signal);
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, pass);
  const [code] = await once(child, "exit");
  for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, pass);
  if (code !== 0) process.exit(code ?? 1);
}
