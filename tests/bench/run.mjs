import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "esbuild";

/**
 * `npm run bench`: bundles the TypeScript of this folder, then runs it. Needs a production build and a PostgreSQL server.
 * BENCH_ONLY=webhooks measures the lines about notifications alone, which need no build; BENCH_ONLY=sync those about a CalDAV
 * server, BENCH_ONLY=google those about Google, BENCH_ONLY=microsoft those about Microsoft 365, BENCH_ONLY=dashboard those about the dashboard, BENCH_ONLY=api those about reads and writes.
 */
const root = resolve(import.meta.dirname, "../..");
const out = resolve(root, ".next/bench");
mkdirSync(out, { recursive: true });
await build({
  entryPoints: ["bench", "bare", "webhook-worker", "sync-worker"].map((name) =>
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
const child = spawn(process.execPath, [resolve(out, "bench.mjs"), ...process.argv.slice(2)], {
  stdio: "inherit",
  cwd: root,
});
child.on("exit", (code) => process.exit(code ?? 1));
