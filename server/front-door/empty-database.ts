import { existsSync } from "node:fs";
import { copyFile, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { migrate } from "@/server/db/migrations";
import { startEmbedded } from "@/server/front-door/embedded";

/**
 * Creates the embedded database that a first start copies, with every migration and no data. This is part of the build,
 * because it takes several seconds of processor time, and half a gigabyte of memory that the process would keep.
 */
export async function createEmptyDatabase(root: string): Promise<void> {
  const dataDir = join(root, ".next", "empty-database.new");
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const database = await startEmbedded(dataDir);
  try {
    await migrate(database.url, join(root, "prisma", "migrations"));
  } finally {
    await database.close();
  }
  await rm(built(root), { recursive: true, force: true });
  await rename(join(dataDir, "postgres"), built(root));
  await rm(dataDir, { recursive: true, force: true });
}

/** Gives a data folder that has none yet the database of the build. A copy that was interrupted begins again. */
export async function copyEmptyDatabase(root: string, dataDir: string): Promise<void> {
  const target = join(dataDir, "postgres");
  if (existsSync(target) || !existsSync(built(root))) return;
  const copy = join(dataDir, "postgres.new");
  await rm(copy, { recursive: true, force: true });
  await copyFolder(built(root), copy);
  await rename(copy, target);
}

function built(root: string): string {
  return join(root, ".next", "empty-database");
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      return entry.isDirectory() ? copyFolder(source, target) : copyToDisk(source, target);
    }),
  );
}

/**
 * Copies a file and waits until it is on the disk. The database relies on files that it has not written itself, so they
 * must survive a power failure.
 */
async function copyToDisk(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  const file = await open(target, "r+");
  await file.sync().finally(() => file.close());
}
