import { runBundled } from "../rig/bundled.mjs";

/**
 * `npm run scale`, or `npm run scale deliveries syncs`: makes the production build when it is old, bundles the TypeScript of this folder and
 * runs it. Needs a PostgreSQL server that may create databases (FAULTS_DATABASE_URL) and a Redis (SCALE_REDIS_URL), by default this machine's.
 * With INNGEST_BASE_URL, INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY it drives the workers by that Inngest server too.
 */
await runBundled(
  "scale",
  ["scale", "receiver-process", "google-process", "microsoft-process", "caldav-process"],
  process.argv.slice(2),
);
