import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Says what becomes of processes of the previous version that still run while a migration is applied. */
export interface Rolling {
  /** The previous version keeps running, and may start again. */
  isSafe: boolean;
  /** It is safe, and runs outside a transaction while the service is up: see online-migrations.ts. */
  isOnline: boolean;
  why: string;
}

const ROLLING = /^-- rolling: (safe|stop-first|online): (\S.*)/;

/** Reads the first line of a migration. Undefined: it says nothing. */
export function rollingOf(script: string): Rolling | undefined {
  const [, mark, why] = ROLLING.exec(script) ?? [];
  return mark && why ? { isSafe: mark !== "stop-first", isOnline: mark === "online", why } : undefined;
}

/** Describes a folder of prisma/migrations. */
export interface Migration {
  name: string;
  script: string;
  checksum: string;
  rolling: Rolling | undefined;
  /** The migrations that it stands for in databases that have them: checksums by name. Mostly empty. */
  replaces: ReadonlyMap<string, string>;
}

const SCRIPT = "migration.sql";
/** As `sha256sum` writes and checks it, from prisma/migrations. */
const REPLACES = "replaces.sha256";
const REPLACED = /^([0-9a-f]{64}) {2}(\S+)\/migration\.sql$/gm;

/** Reads all migrations in the order of their names. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, SCRIPT)));
  return await Promise.all(
    names
      .map(({ name }) => name)
      .sort()
      .map((name) => readMigration(folder, name)),
  );
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  const bytes = await readFile(join(folder, name, SCRIPT));
  const script = bytes.toString("utf8");
  const checksum = createHash("sha256").update(bytes).digest("hex");
  const list = join(folder, name, REPLACES);
  const replaced = existsSync(list) ? (await readFile(list, "utf8")).matchAll(REPLACED) : [];
  const replaces = new Map([...replaced].map(([, digest = "", other = ""]) => [other, digest]));
  return { name, script, checksum, rolling: rollingOf(script), replaces };
}
