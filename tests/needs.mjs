import { installLanguages, missingLanguages } from "./api/docs/languages.mjs";
import { installClientLibraries, missingClientLibraries } from "./clients/libraries.mjs";
import { installChromium, missingChromium } from "./e2e/chromium.mjs";
import { installPgbouncer, missingPgbouncer } from "./postgres/pgbouncer.mjs";
import { installServers, missingServers } from "./sync/servers.mjs";

/** Each says by name what is missing of it, and installs that. */
const languages = { missing: missingLanguages, install: installLanguages };
const clientLibraries = { missing: missingClientLibraries, install: installClientLibraries };
const servers = { missing: missingServers, install: installServers };
const pgbouncer = { missing: missingPgbouncer, install: installPgbouncer };
const browser = { missing: missingChromium, install: installChromium };
const database = { missing: () => variable("TEST_SERVER_URL", "a PostgreSQL server in TEST_SERVER_URL") };

/** What steps need besides Node. All others need nothing. */
const needs = {
  clients: [languages, clientLibraries],
  sync: [servers],
  start: [languages],
  e2e: [languages, servers, browser],
  postgres: [database, pgbouncer],
  server: [database, languages],
};

/** How many kinds of things a step needs. */
export function needed(step) {
  return needs[step]?.length ?? 0;
}

/** What a step lacks, by name, after all of it was installed that can be, if it may be. */
export function lacking(step, mayInstall) {
  const all = needs[step] ?? [];
  const names = () => all.flatMap(({ missing }) => missing());
  if (!mayInstall || names().length === 0) return names();
  process.stdout.write(`${step}: installing ${names().join(", ")}…\n`);
  for (const { missing, install } of all) if (missing().length > 0) install?.();
  return names();
}

function variable(name, words) {
  return process.env[name] ? [] : [words];
}
