import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { readStamp, sourceDigest } from "../../server/front-door/build-stamp.mjs";

const root = resolve(import.meta.dirname, "../..");

/**
 * Runs a script of a folder of tests on the built service: makes the production build when it is old (before the bundle, which it would delete),
 * then bundles the folder's TypeScript and runs the first of its entries. Exits with the code of what failed.
 * @param {string} folder of tests, such as "bench"
 * @param {string[]} entries files under it, without their ending
 * @param {string[]} parameters of the first
 */
export async function runBundled(folder, entries, parameters) {
  if ((await readStamp(root)) !== (await sourceDigest(root))) await run(resolve(root, "server/front-door/build.mjs"));
  const [from, outdir] = [resolve(root, "tests", folder), resolve(root, ".next", folder)];
  await build({
    entryPoints: entries.map((name) => join(from, `${name}.ts`)),
    outdir,
    outbase: from,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    tsconfig: resolve(root, "tsconfig.json"),
  });
  await run(join(outdir, `${entries[0]}.mjs`), ...parameters);
}

/** @param {...string} args */
async function run(...args) {
  const child = spawn(process.execPath, args, { stdio: "inherit", cwd: root });
  const pass = (signal) => child.kill(signal);
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, pass);
  const [code] = await once(child, "exit");
  for (const signal of ["SIGTERM", "SIGINT"]) process.off(signal, pass);
  if (code !== 0) process.exit(code ?? 1);
}
