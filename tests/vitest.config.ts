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
 * What of api runs again on a PostgreSQL server. The embedded database is PostgreSQL too, so a statement means the same on both. What can differ:
 * it has one connection, where a server's many wait for each other's locks and can be lost one by one; a server is given named statements,
 * plans in its own version, sorts text by its own locale, has its own time zones, and lets more requests in at once.
 */
const onServer = [
  // The schema, the plans, the order of texts and of equal times, and the days of a time zone. A migration is the same SQL on both.
  "tests/api/db/{drift,migrations,schema,statements,upgrade}.test.ts",
  "tests/api/{plans,reads.property,stored-calendars}.test.ts",
  "tests/api/staff/{delivery-search,plans-of-many,request-counts}.test.ts",
  // Requests that meet: codes, tokens, names, channels, events, and the last admin.
  "tests/api/{application-calendars,channels,channels-close,link-tokens,oauth-token,oauth-token-revoke}.test.ts",
  "tests/api/{events-delete,events-write,overload,slow-faults,writes-at-once}.test.ts",
  "tests/api/staff/{operators,sessions}.test.ts",
  // Processes that take work from one table.
  "tests/api/claim-writes.test.ts",
  "tests/api/executor/*.test.ts",
  "tests/api/staff/{replays,retries}.test.ts",
  "tests/api/webhooks/{deliveries,joined-changes,neighbours}.test.ts",
];

/** The API as its document has it, and what nobody may do: of api what `npm test` runs. Without programs of other languages, and short. */
const contract = [
  "tests/api/{account,application-calendars,bad-input,calendars,channels,channels-close,channels-test}.test.ts",
  "tests/api/{client-credentials,compatibility,conferencing,connect-google,connect-microsoft,connect-oauth}.test.ts",
  "tests/api/{encoded-bodies,events-delete,events-list,events-occurrences,events-write,every-request,free-busy,guests}.test.ts",
  "tests/api/{link-tokens,oauth-authorize,oauth-metadata,oauth-token,oauth-token-revoke,occurrence-zones,profiles}.test.ts",
  "tests/api/{rate-limits,sandbox,series,series-time,skipped-times,spellings-of-times,unknown-addresses}.test.ts",
  "tests/api/{userinfo,windows-zones,writes-at-once}.test.ts",
  "tests/api/openapi/examples.test.ts",
  "tests/api/staff/{applications,role-matrix}.test.ts",
  "tests/api/webhooks/{deliveries,notifications}.test.ts",
  "tests/conformance/*.test.ts",
];

/** Google and Microsoft as the fakes play them: of sync what `npm test` runs. No program outside. */
const fakes = [
  "tests/sync/{google,google-reading,google-writing,google-occurrences,google-watches}.test.ts",
  "tests/sync/{microsoft-reading,microsoft-writing,microsoft-occurrences,microsoft-watches}.test.ts",
  "tests/sync/verdicts-{google,microsoft}.test.ts",
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

/** What each needs besides Node is in tests/needs.mjs; contract and api have a database that their set-up brings; build replaces the build, which quickstart and start need. */
export default defineConfig({
  ...base,
  test: {
    reporters: ["default"],
    sequence: { sequencer: LongestFirst },
    projects: [
      suite("unit", ["tests/unit/**/*.test.ts", "tests/architecture.test.ts"], { exclude: oracles, ...sharing }),
      suite("oracles", oracles, sharing),
      suite("contract", contract, { ...onDatabase, ...sharing }),
      suite("api", ["tests/api/**/*.test.ts"], { exclude: contract, ...onDatabase, ...sharing }),
      suite("clients", ["tests/clients/**/*.test.ts"], { ...onDatabase, ...sharing, maxWorkers: 1 }),
      suite("fakes", fakes, onSync),
      suite("sync", ["tests/sync/**/*.test.ts"], { exclude: fakes, ...onSync }),
      suite("postgres", ["tests/postgres/**/*.test.ts"], { ...onPostgres, ...sharing, maxWorkers: 1 }),
      suite("server", onServer, { ...onPostgres, ...sharing }),
      suite("redis", ["tests/redis/**/*.test.ts"]),
      suite("build", ["tests/build/**/*.test.ts"]),
      suite("quickstart", quickstart, onService),
      suite("start", ["tests/start/**/*.test.ts"], { exclude: quickstart, ...onService }),
    ],
  },
});
