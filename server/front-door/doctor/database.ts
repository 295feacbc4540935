import { clock } from "@/server/clock";
import { context } from "@/server/context";
import { connect, type Query } from "@/server/db/client";
import { databaseNow } from "@/server/db/database-time.sql";
import { MigrationFault } from "@/server/db/migration-steps";
import { newestMigration } from "@/server/db/migrations";
import { incompleteOnline } from "@/server/db/online-migrations";
import { PROCESS_PREFIX } from "@/server/db/process-name";
import { schemaState } from "@/server/db/schema-state.sql";
import { hasBackends } from "@/server/db/server-options";
import { runOne } from "@/server/db/statement";
import { type EnvSource, env, readEnv } from "@/server/env";
import { background } from "@/server/front-door/doctor/background";
import { latencyOf } from "@/server/front-door/doctor/latency";
import { openDatabase } from "@/server/front-door/doctor/open-database";
import { ownClients } from "@/server/front-door/doctor/provider-clients";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { serverSettings } from "@/server/front-door/doctor/server-settings";
import { keyCheck } from "@/server/front-door/key-check";
import { keepsStatements } from "@/server/front-door/pooler";
import { reach, shown } from "@/server/front-door/preflight";
import { secrets } from "@/server/front-door/secrets";
import { codeOf, StartError } from "@/server/front-door/start-error";
import { inTime } from "@/server/in-time";

const CONNECT_MS = 5_000;
const WITHIN_MS = 60_000;
/** A request sends a few statements, one after another. */
const SLOW_MS = 10;
const IN_STEP_MS = 100;
const SKEW_MS = 2_000;
/** Receivers refuse webhooks that were signed five minutes ago or later. */
const WRONG_CLOCK_MS = 60_000;

/** Checks the database and what is in it, each as far as what it stands on is sound. */
export async function database(source: EnvSource, migrations: string): Promise<Finding[]> {
  return await inTime(WITHIN_MS, examined(source, migrations), () => [silent]);
}

const silent = fail("database", `No complete response in ${WITHIN_MS / 1_000} s. Look at its log and its locks.`);

async function examined(source: EnvSource, migrations: string): Promise<Finding[]> {
  const opened = await openDatabase(env()).catch(faultOf);
  if (opened === null)
    return [warn("database", `${env().DATA_DIR} has no database yet: the first start of Almanac creates it.`)];
  if (typeof opened === "string") return [fail("database", opened), unchecked("the database")];
  try {
    const fault = await reach(opened.url, migrations).catch((error) => error);
    if (fault instanceof StartError) return [fail("database", fault.message), unchecked("the database")];
    if (fault instanceof MigrationFault) return [fail("migrations", fault.message), unchecked("the database")];
    if (fault) throw fault;
    return await reached(opened.url, { source, migrations });
  } finally {
    await opened.close();
  }
}

async function reached(url: string, { source, migrations }: { source: EnvSource; migrations: string }) {
  const isServer = hasBackends(url);
  const opened = connect(url, {
    ...{ max: 1, fallback_application_name: `${PROCESS_PREFIX}doctor`, connectionTimeoutMillis: CONNECT_MS },
  });
  const before = context.database;
  context.database = opened;
  const { query } = opened;
  try {
    const found = [
      await latency(query, isServer ? shown(url) : null),
      ...(isServer ? [await pooler(url), ...(await serverSettings(query))] : []),
      await clocks(query),
    ];
    const migrated = await migrationState(query, migrations);
    found.push(migrated);
    if (migrated.status === "fail") return [...found, unchecked("encryption keys and jobs")];
    const keys = await encryptionKeys(source);
    return [...found, keys, ...(keys.status === "ok" ? await ownClients(query) : []), ...(await background())];
  } finally {
    context.database = before;
    await opened.close();
  }
}

const unchecked = (what: string) => warn(what, "Not checked, because of the failure above.");

/** Returns the sentence of a foreseen fault. Throws all others again. */
function faultOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  throw error;
}

/** Checks how soon a server responds. `server`: its address. Null: the database is embedded, and no place is closer. */
async function latency(query: Query, server: string | null): Promise<Finding> {
  const ms = await latencyOf(() => runOne(query, databaseNow));
  const place = server ?? `DATA_DIR ${env().DATA_DIR}`;
  const text = `Responds at ${place} in ${ms.toFixed(1)} ms`;
  return ms < SLOW_MS || server === null
    ? ok("database", text)
    : warn("database", `${text}: each request waits several times as long. Move it closer, or relieve it.`);
}

async function pooler(url: string): Promise<Finding> {
  if (await keepsStatements(url)) return ok("pooler", "Named statements are kept.");
  return warn(
    "pooler",
    "The pooler forgets prepared statements between transactions, so each statement is planned again and wake-ups of workers are lost. Use session mode, or connect directly.",
  );
}

async function clocks(query: Query): Promise<Finding> {
  const before = clock().now();
  const { now } = await runOne(query, databaseNow);
  const ahead = Math.round((before + clock().now()) / 2 - now);
  if (Math.abs(ahead) < IN_STEP_MS) return ok("clock", "This machine's clock and the database's are in step.");
  const text = `This machine's clock is ${(Math.abs(ahead) / 1_000).toFixed(1)} s ${ahead < 0 ? "behind" : "ahead of"} the database's`;
  if (Math.abs(ahead) < SKEW_MS) return ok("clock", text);
  const advice = "Synchronize both by NTP. Receivers refuse webhooks whose signature is 5 minutes off.";
  return (Math.abs(ahead) < WRONG_CLOCK_MS ? warn : fail)("clock", `${text}. ${advice}`);
}

const UNDEFINED_TABLE = "42P01";

async function migrationState(query: Query, folder: string): Promise<Finding> {
  const newest = (await newestMigration(folder)) ?? "";
  try {
    const { migrated } = await runOne(query, schemaState, [newest]);
    if (migrated) return await onlineMigrations(query, folder, `Up to date: ${newest}`);
  } catch (error) {
    if (codeOf(error) !== UNDEFINED_TABLE) throw error;
    return fail("migrations", "The database is empty: the first start of Almanac creates its tables.");
  }
  return fail("migrations", `The database lacks ${newest} of this version. Start this version: it migrates first.`);
}

async function onlineMigrations(query: Query, folder: string, upToDate: string): Promise<Finding> {
  const names = (await incompleteOnline({ rows: query }, folder)).map(({ name }) => name).join(", ");
  if (names === "") return ok("migrations", upToDate);
  return warn("migrations", `${upToDate}. Not complete yet: ${names}. A worker runs it while the service is up.`);
}

/** Opens what was sealed with each key, with the keys of the environment or of DATA_DIR. */
async function encryptionKeys(source: EnvSource): Promise<Finding> {
  const { DATA_DIR, ENCRYPTION_KEYS } = env();
  const isGenerated = ENCRYPTION_KEYS.length === 0;
  try {
    if (isGenerated) context.env = readEnv({ ...source, ...(await secrets(DATA_DIR, { holdsData: true })) });
    await keyCheck();
    return ok("encryption keys", `${isGenerated ? "Those in DATA_DIR" : "ENCRYPTION_KEYS"} open what is stored.`);
  } catch (error) {
    return fail("encryption keys", faultOf(error));
  }
}
