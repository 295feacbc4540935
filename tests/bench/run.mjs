import { runBundled } from "../rig/bundled.mjs";

const programs = ["cost/bare", "webhook-worker", "bare-sender", "sync-worker", "bare-reader", "bare-page"];

/**
 * `npm run bench`: makes the production build when it is old, bundles the TypeScript of this folder and runs it. It needs a PostgreSQL server on this
 * machine (BENCH_DATABASE_URL). `npm run bench cost webhooks` measures some parts alone. `npm run bench short` compares what a request costs with the
 * committed figures in less than a minute, and `npm run bench -- short --commit` renews those.
 */
await runBundled("bench", ["bench", ...programs], process.argv.slice(2));
