import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { context } from "@/server/context";
import { sendUnnamed } from "@/server/db/client";
import { MigrationFault } from "@/server/db/migration-steps";
import { migrate, newestMigration } from "@/server/db/migrations";
import { hasBackends } from "@/server/db/server-options";
import { type Env, provideEnv } from "@/server/env";
import { watchEventLoop } from "@/server/event-loop-delay";
import { readBuildInfo } from "@/server/front-door/build-info.mjs";
import { type EmbeddedDatabase, startEmbedded } from "@/server/front-door/embedded";
import { copyEmptyDatabase } from "@/server/front-door/empty-database";
import { keyCheck } from "@/server/front-door/key-check";
import { localReceivers } from "@/server/front-door/local-receivers";
import { watchMaintenance } from "@/server/front-door/maintenance/watch";
import { serveMetrics } from "@/server/front-door/metrics/server";
import { nextHandler } from "@/server/front-door/next-handler";
import { startOnlineMigrations } from "@/server/front-door/online-migrations";
import { pagePolicy } from "@/server/front-door/page-policy";
import { keepsStatements } from "@/server/front-door/pooler";
import { portError, preflight } from "@/server/front-door/preflight";
import { servedBy } from "@/server/front-door/role-paths";
import { routesWithoutNext } from "@/server/front-door/routes";
import { type Fallback, type FrontDoor, frontDoor } from "@/server/front-door/server";
import { type SharedTime, sharedTime } from "@/server/front-door/shared-time";
import { signInWithoutSession } from "@/server/front-door/signed-out";
import { codeOf, StartError } from "@/server/front-door/start-error";
import { underStartupLock } from "@/server/front-door/startup-lock";
import { type FirstStart, keepDemo, startupMessage } from "@/server/front-door/startup-message";
import { openTracing } from "@/server/front-door/tracing/open";
import { type Undo, undoing } from "@/server/front-door/undo";
import { processServices } from "@/server/http/process-services";
import { inTime } from "@/server/in-time";
import { type Jobs, openJobs } from "@/server/jobs/start";
import { log } from "@/server/log";
import { bootstrap } from "@/server/services/bootstrap";
import { isRefusal } from "@/server/services/refusal";

const CLOSE_WITHIN_MS = 7_000;
const SECOND_MS = 1_000;
/** A start that is building, or waits for a database, does not notice soon that it is to end. */
const NOTICE_WITHIN_MS = 5_000;
/** A collector that is away must not hold up the end. */
const FLUSH_WITHIN_MS = 3_000;

export interface StartOptions {
  root: string;
  isDev: boolean;
  source: Record<string, string | undefined>;
  /** Makes the production build when it is missing or old; false when it failed. */
  build: () => Promise<boolean>;
}

/** Starts Almanac in this process. Every foreseen fault is one sentence on stderr and exit 1. */
export async function main(options: StartOptions): Promise<void> {
  const undo = undoing((error) => {
    log({ module: "front-door" }).error({ err: error }, "a step of the shutdown failed");
  });
  const started = start(options, undo);
  endOnSignals(undo, started);
  try {
    await started;
  } catch (error) {
    if (undo.isTaken()) return; // by a signal, whose handler ends the process; what is closed already fails
    say(error);
    await undo.take();
    process.exit(1);
  }
}

/**
 * Starts everything in this order, because each step stands on the ones before; `undo` takes them back in the reverse
 * order.
 */
async function start({ root, isDev, source, build }: StartOptions, undo: Undo): Promise<void> {
  const migrations = join(root, "prisma", "migrations");
  const { port, lock, encryptionKeys, env: given } = await preflight(source, migrations);
  if (lock) undo.add(() => lock.release());
  if (!isDev && !(await build())) throw new StartError("The build failed. See the output above.");
  const embedded = given.DATABASE_URL ? undefined : await openEmbedded({ root, isDev, env: given }, undo);
  context.build = await readBuildInfo(root);
  const env = provideEnv({
    ...{ PORT: String(port), DATABASE_URL: embedded?.url, ENCRYPTION_KEYS: encryptionKeys },
    CALLBACK_ALLOWED_ORIGINS: localReceivers(source, given),
  });
  // Whoever starts it on a machine of their own reads the message at the end.
  if (!embedded) log({ module: "front-door" }).info({ ...context.build }, "Almanac is starting");
  const flushTraces = await openTracing(env, root);
  undo.add(() => inTime(FLUSH_WITHIN_MS, flushTraces(), () => undefined));
  undo.add(async () => context.database?.close());
  if (!embedded) await askPooler(env.DATABASE_URL ?? "");
  context.migration = await newestMigration(migrations);
  const fill = () => fillDatabase(env, { migrations, isEmbedded: embedded !== undefined });
  const first = embedded ? await fill() : await underStartupLock(env.DATABASE_URL ?? "", fill);
  await keepDemo(env, first);
  undo.add(await watchMaintenance());
  const front = await loaded({ env, root, isDev });
  const jobs = openJobs();
  // Shared by requests and background work in progress: what stops a container does not wait for the sum.
  const draining = sharedTime(env.DRAIN_SECONDS * SECOND_MS);
  undo.add(
    () => jobs.end(),
    () => inTime(draining.leftMs(), jobs.drain(), () => undefined),
  );
  await open(front, { env, draining }, undo);
  undo.add(await serveMetrics(env));
  const endWatch = watchEventLoop();
  undo.add(async () => {
    endWatch();
    await leave(env, jobs);
    draining.begin();
  });
  await jobs.begin(); // once all is loaded and open: what loads reads no response of a receiver
  if (!embedded && env.ALMANAC_ROLE !== "web") undo.add(startOnlineMigrations(env.DATABASE_URL ?? "", migrations));
  if (undo.isTaken()) return;
  process.stdout.write(startupMessage(env, first, embedded !== undefined));
}

/**
 * Marks this process as not ready, and goes on as before for callers that have not noticed yet. Begins no more
 * background work, since other processes are there for it.
 */
async function leave({ DRAIN_GRACE_SECONDS }: Env, jobs: Jobs): Promise<void> {
  context.isDraining = true; // hence not ready for more
  jobs.drain().catch((error) => log({ module: "front-door" }).error({ err: error }, "background work did not end"));
  await sleep(DRAIN_GRACE_SECONDS * SECOND_MS);
}

/**
 * Finds out before the first statement whether a pooler keeps named statements: behind some poolers they fail now and
 * then.
 */
async function askPooler(address: string): Promise<void> {
  if (!hasBackends(address) || (await keepsStatements(address))) return;
  sendUnnamed();
  log({ module: "front-door" }).warn(
    "the connection pooler forgets prepared statements between transactions, so each statement is planned again: use session mode, or set it up for prepared statements",
  );
}

async function fillDatabase(
  env: Env,
  { migrations, isEmbedded }: { migrations: string; isEmbedded: boolean },
): Promise<FirstStart> {
  await migrate(env.DATABASE_URL ?? "", migrations, (migration, why) =>
    log({ module: "front-door" }).warn({ migration, why }, "the previous version cannot run beside this migration"),
  );
  await keyCheck();
  return await bootstrap(env, { isEmbedded }).catch((error: unknown) => {
    const reason = isRefusal(error) ? error.reason : null;
    throw reason?.kind === "invalid"
      ? new StartError(reason.issues.map((issue) => issue.description).join("\n"))
      : error;
  });
}

interface Opening {
  env: Env;
  root: string;
  isDev: boolean;
}

async function openEmbedded({ root, isDev, env: { DATA_DIR } }: Opening, undo: Undo): Promise<EmbeddedDatabase> {
  if (!isDev) await copyEmptyDatabase(root, DATA_DIR);
  const database = await startEmbedded(DATA_DIR, (reason) => {
    process.stderr.write(
      `The embedded database stopped unexpectedly (${reason}), so Almanac is stopping too. Start it again.\n`,
    );
    process.exit(1);
  });
  undo.add(() => database.close());
  return database;
}

/** Creates the front door with everything behind it. It is not open yet. */
async function loaded({ env, root, isDev }: Opening): Promise<FrontDoor> {
  let fallback: Fallback | undefined;
  const through: Fallback = (req, res) => fallback?.(req, res);
  const { ALMANAC_ROLE: role } = env;
  const serves = servedBy(role);
  const routes = await routesWithoutNext({ root, isDev });
  const policy = pagePolicy({ isDev, formEnds: issuerOf(env) });
  const isHttps = [env.APP_URL, env.BASE_URL].some((url) => url.startsWith("https:"));
  const front = frontDoor({
    ...{ routes, isHttps, serves, fallback: through, policy, elsewhere: signInWithoutSession },
    proxies: env.TRUSTED_PROXIES,
  });
  if (role !== "worker") fallback = await nextHandler({ root, isDev, port: env.PORT, server: front.server });
  return front;
}

async function open(
  front: FrontDoor,
  { env, draining }: { env: Env; draining: SharedTime },
  undo: Undo,
): Promise<void> {
  if (env.ALMANAC_ROLE !== "worker") await processServices().limiter.ready();
  await new Promise<void>((resolve, reject) => {
    front.server.once("error", (error) => reject(portError(error, env.HOST, env.PORT)));
    front.server.listen({ host: env.HOST, port: env.PORT }, () => resolve());
  });
  undo.add(
    async () => inTime(CLOSE_WITHIN_MS, Promise.resolve(context.services?.close()), () => undefined),
    () => front.close(draining.leftMs()),
  );
}

/** Returns where the form that begins single sign-on leads to. */
function issuerOf({ OIDC_ISSUER }: Env): string[] {
  return OIDC_ISSUER ? [new URL(OIDC_ISSUER).origin] : [];
}

/**
 * Ends the process in order on the first signal, and at once on a second one. A start that is still going on takes back
 * by itself what it makes meanwhile.
 */
function endOnSignals(undo: Undo, started: Promise<void>): void {
  let isEnding = false;
  const end = async () => {
    if (isEnding) process.exit(1);
    isEnding = true;
    await undo.take();
    await inTime(
      NOTICE_WITHIN_MS,
      started.catch(() => undefined),
      () => undefined,
    );
    await undo.take();
    process.exit(0);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}

function say(error: unknown): void {
  const isForeseen = error instanceof StartError || error instanceof MigrationFault;
  const text = isForeseen ? error.message : error instanceof Error ? (error.stack ?? error.message) : codeOf(error);
  const lines = text.split("\n");
  const list = isForeseen && lines.length > 1 ? `\n${lines.map((line) => `  - ${line}`).join("\n")}` : ` ${text}`;
  process.stderr.write(`Almanac cannot start:${list}\n`);
}
