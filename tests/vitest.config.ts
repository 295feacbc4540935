import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first";

const root = resolve(import.meta.dirname, "..");
const base = { root, resolve: { alias: { "@": root } } };
const suite = (name: string, include: string[], more: object = {}) => ({
  ...base,
  test: {
    name,
    include,
    environment: "node",
    // Far over what any test takes: a limit is for what hangs, not for a machine that others use.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    ...more,
  },
});

/**
 * Comparisons with other implementations of the same thing, at random and in child processes of other time zones, the fakes of providers
 * under the providers' own clients, and what the worst texts and the largest bodies cost: too long for `npm run check`.
 */
const oracles = [
  "tests/unit/**/{*-oracle,second-*,process-time-zone}.test.ts",
  "tests/unit/texts/*.test.ts",
  "tests/unit/fakes/*.test.ts",
  "tests/unit/http/encoded-body.test.ts",
  "tests/unit/providers/microsoft-{changes,recurrence,write-rules,write-series}.test.ts",
];

/**
 * The files of `contract` that run on a PostgreSQL server too: requests that meet, which wait for one connection on the embedded database, and for each
 * other's locks on a server.
 */
const meeting = [
  "tests/api/{application-calendars,channels,channels-close,link-tokens,oauth-token,oauth-token-revoke}.test.ts",
  "tests/api/{events-delete,events-write,writes-at-once}.test.ts",
  "tests/api/webhooks/deliveries.test.ts",
];

/** What of `server` runs on the embedded database too: the schema, which is made in each, and more requests than one connection takes. */
const embedded = [
  "tests/api/db/{drift,migrations,schema,statements,upgrade}.test.ts",
  "tests/api/{overload,slow-faults}.test.ts",
];

/** The API as its document has it, and what nobody may do: what `npm test` runs of tests/api, on the embedded database. Without programs of other languages, and short. */
const contract = [
  "tests/api/{account,bad-input,calendars,channels-test,client-credentials,compatibility,conferencing}.test.ts",
  "tests/api/{connect-google,connect-microsoft,connect-oauth,encoded-bodies,events-list,events-occurrences}.test.ts",
  "tests/api/{every-request,free-busy,guests,oauth-authorize,oauth-metadata,occurrence-zones,profiles}.test.ts",
  "tests/api/{rate-limits,sandbox,series,series-time,skipped-times,spellings-of-times,unknown-addresses}.test.ts",
  "tests/api/{userinfo,windows-zones}.test.ts",
  "tests/api/openapi/examples.test.ts",
  "tests/api/staff/{applications,role-matrix}.test.ts",
  "tests/api/webhooks/notifications.test.ts",
  "tests/conformance/*.test.ts",
];

/** Google and Microsoft as the fakes play them: of sync what `npm test` runs. No program outside. */
const fakes = [
  "tests/sync/{google,google-reading,google-writing,google-occurrences,google-watches}.test.ts",
  "tests/sync/{microsoft-reading,microsoft-writing,microsoft-occurrences,microsoft-watches}.test.ts",
  "tests/sync/verdicts-{google,microsoft}.test.ts",
  "tests/sync/contract/writes.test.ts",
];

const quickstart = ["tests/start/quickstart.test.ts"];

/** The files of a worker load the service once: loading it takes half of the time. */
const sharing = { maxWorkers: 2, isolate: false };

/** Each file begins as in a new process all the same. */
const onDatabase = { globalSetup: ["tests/api/set-up.ts"], setupFiles: ["tests/api/each-file.ts"] };

const onPostgres = { ...onDatabase, globalSetup: ["tests/fakes/needs-server.ts", ...onDatabase.globalSetup] };

const onSync = {
  ...sharing,
  globalSetup: ["tests/sync/set-up.ts"],
  setupFiles: [...onDatabase.setupFiles, "tests/sync/each-file.ts"],
};

const onService = { maxWorkers: 2, testTimeout: 300_000, hookTimeout: 300_000 };

/** What each needs besides Node is in tests/needs.mjs; contract and embedded have a database that their set-up brings; build replaces the build, which quickstart and start need. */
export default defineConfig({
  ...base,
  test: {
    reporters: ["default"],
    sequence: { sequencer: LongestFirst },
    projects: [
      suite("unit", ["tests/unit/**/*.test.ts", "tests/architecture.test.ts"], { exclude: oracles, ...sharing }),
      suite("oracles", oracles, sharing),
      suite("contract", [...contract, ...meeting], { ...onDatabase, ...sharing }),
      suite("embedded", embedded, { ...onDatabase, ...sharing }),
      suite("clients", ["tests/clients/**/*.test.ts"], { ...onDatabase, ...sharing, maxWorkers: 1 }),
      suite("fakes", fakes, onSync),
      suite("sync", ["tests/sync/**/*.test.ts"], { exclude: fakes, ...onSync }),
      suite("postgres", ["tests/postgres/**/*.test.ts"], { ...onPostgres, ...sharing, maxWorkers: 1 }),
      suite("server", ["tests/api/**/*.test.ts"], { exclude: contract, ...onPostgres, ...sharing }),
      suite("redis", ["tests/redis/**/*.test.ts"]),
      suite("build", ["tests/build/**/*.test.ts"]),
      suite("quickstart", quickstart, onService),
      suite("start", ["tests/start/**/*.test.ts"], { exclude: quickstart, ...onService }),
    ],
  },
});
