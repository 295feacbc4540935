import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { migrationConnection } from "@/server/db/migration-records";
import { MigrationFault } from "@/server/db/migration-steps";
import { checkMigrations } from "@/server/db/migrations";
import { type Env, EnvFaults, readEnv } from "@/server/env";
import { dataDir } from "@/server/front-door/data-dir";
import { holdsDatabase } from "@/server/front-door/embedded";
import { type Lock, takeLock } from "@/server/front-door/lock";
import { secrets } from "@/server/front-door/secrets";
import { codeOf, StartError } from "@/server/front-door/start-error";

const REACH_TIMEOUT_MS = 5_000;
const OLDEST_POSTGRESQL = 14;

export interface Preflight {
  env: Env;
  port: number;
  /** Held when the database is embedded. */
  lock?: Lock;
  /** The generated ones, when the environment has none. */
  encryptionKeys?: string;
}

/** Checks everything that can be found out before anything runs. Throws StartError with a line for each fault. */
export async function preflight(source: Record<string, string | undefined>, migrations: string): Promise<Preflight> {
  const faults: string[] = [];
  const sound = readSound(source, faults);
  const { PORT, HOST, METRICS_PORT, METRICS_HOST, DATABASE_URL } = sound;
  const [port, folder] = await Promise.all([
    PORT !== undefined && HOST !== undefined ? collect(faults, () => freePort(HOST, PORT)) : undefined,
    collect(faults, () => folderOf(sound)),
    DATABASE_URL !== undefined ? collect(faults, () => reach(DATABASE_URL, migrations)) : undefined,
    METRICS_PORT !== undefined && METRICS_HOST !== undefined
      ? collect(faults, () => freePort(METRICS_HOST, METRICS_PORT, "METRICS_"))
      : undefined,
  ]);
  if (faults.length > 0) {
    folder?.lock?.release();
    throw new StartError(faults.join("\n"));
  }
  return { env: sound as Env, port: port ?? 0, ...folder };
}

function readSound(source: Record<string, string | undefined>, faults: string[]): Partial<Env> {
  try {
    return readEnv(source);
  } catch (error) {
    if (!(error instanceof EnvFaults)) throw error;
    faults.push(...error.faults);
    return error.sound;
  }
}

async function collect<T>(faults: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StartError || error instanceof MigrationFault)) throw error;
    faults.push(error.message);
    return undefined;
  }
}

/**
 * Returns the port if it is free, or a free one for 0. Another program may still take it before we listen, which is
 * then reported again.
 */
async function freePort(host: string, port: number, prefix = ""): Promise<number> {
  const probe = createServer();
  return await new Promise<number>((resolve, reject) => {
    probe.once("error", (error) => reject(portError(error, host, port, prefix)));
    probe.listen({ host, port }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : port));
    });
  });
}

/** Turns the failure to open a port into a StartError. `prefix` is that of the two variables. */
export function portError(error: unknown, host: string, port: number, prefix = ""): StartError {
  const [PORT, HOST] = [`${prefix}PORT`, `${prefix}HOST`];
  const code = codeOf(error);
  if (code === "EADDRINUSE")
    return new StartError(`Port ${port} is already in use. Stop the other program or set ${PORT}.`);
  if (code === "EACCES") return new StartError(`This user may not open port ${port}. Set ${PORT} to 1024 or higher.`);
  return new StartError(`${HOST} ${host} is not an address of this machine (${code}).`);
}

async function folderOf(env: Partial<Env>): Promise<Pick<Preflight, "lock" | "encryptionKeys">> {
  const { DATA_DIR, DATABASE_URL, ENCRYPTION_KEYS } = env;
  const isEmbedded = "DATABASE_URL" in env && DATABASE_URL === undefined;
  const needsKeys = ENCRYPTION_KEYS?.length === 0;
  if (!DATA_DIR || !(isEmbedded || needsKeys)) return {};
  await dataDir(DATA_DIR);
  const lock = isEmbedded ? await takeLock(DATA_DIR) : undefined;
  if (!needsKeys) return { lock };
  try {
    const holdsData = isEmbedded && holdsDatabase(DATA_DIR);
    const { ENCRYPTION_KEYS: encryptionKeys } = await secrets(DATA_DIR, { holdsData });
    return { lock, encryptionKeys };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Checks that a database can be used: it is reached, not too old, and of no other history. Throws StartError or MigrationFault. */
export async function reach(address: string, migrations: string): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ connectionString: address, connectionTimeoutMillis: REACH_TIMEOUT_MS });
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query<{ server_version_num: string }>("SHOW server_version_num");
    const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
    if (version < OLDEST_POSTGRESQL) {
      throw new StartError(
        `The database at ${shown(address)} is PostgreSQL ${version}. Almanac needs version ${OLDEST_POSTGRESQL} or newer.`,
      );
    }
    await checkMigrations(migrationConnection(client), migrations);
  } catch (error) {
    if (error instanceof StartError || error instanceof MigrationFault) throw error;
    const reason = error instanceof pg.DatabaseError ? error.message : codeOf(error);
    throw new StartError(`Cannot use the database at ${shown(address)} (${reason}). Check DATABASE_URL.`);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

/** Shortens a database address to what messages may show: it leaves out the user, the password and the parameters. */
export function shown(address: string): string {
  const { hostname, port, pathname, searchParams } = new URL(address);
  return join(`${searchParams.get("host") ?? hostname}${port && `:${port}`}`, pathname);
}
