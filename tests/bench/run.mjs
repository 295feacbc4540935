import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

/**
 * `npm run bench`: bundles the TypeScript of this folder, then runs it. It needs a production build, and a PostgreSQL server on this machine
 * (BENCH_DATABASE_URL). `npm run bench cost webhooks` measures some parts alone. `npm run bench short` compares what a request costs with the
 * committed figures in less than a minute, and `npm run bench -- short --commit` renews those.
 */
const root = resolve(import.meta.dirname, "../..");
const out = resolve(root, ".next/bench");
mkdirSync(out, { recursive: true });
await build({
  entryPoints: ["bench", "cost/bare", "webhook-worker", "sync-worker"].map((name) =>
    resolve(import.meta.dirname, `${name}.ts`),
  ),
  outdir: out,
  outbase: import.meta.dirname,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  tsconfig: resolve(root, "tsconfig.json"),
});
const child = spawn(process.execPath, [resolve(out, "bench.mjs"), ...process.argv.slice(2)], {
  stdio: "inherit",
  cwd: root,
});
child.on("exit", (code) => process.exit(code ?? 1));
