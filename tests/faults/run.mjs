import { runBundled } from "../rig/bundled.mjs";

/**
 * `npm run faults`, or `npm run faults kill-9 clock`: makes the production build when it is old, bundles the TypeScript of this
 * folder and runs it. Needs a PostgreSQL server that may create databases (FAULTS_DATABASE_URL), Debian's own
 * PostgreSQL programs, libfaketime and, for `rolling-upgrade`, HAProxy. `UPGRADE_FROM=<folder of an older version's build> npm run faults upgrade` upgrades its databases,
 * and `side-by-side` runs both versions on one.
 */
await runBundled("faults", ["faults", "neighbours/attacker"], process.argv.slice(2));
