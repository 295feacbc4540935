import type { Migration } from "@/server/db/migration-files";

/** The last version that has the migrations which a later one replaces. */
const LAST_WITH_REPLACED = "1.0.0-rc.1";

/** Its message is one sentence for the operator. */
export class MigrationFault extends Error {
  override name = "MigrationFault";
}

/** What a database says of a migration. */
export interface MigrationRecord {
  name: string;
  checksum: string;
  isFinished: boolean;
  /** The version before it can go on: its first line said so. */
  isSafe: boolean;
}

export interface MigrationStep {
  migration: Migration;
  /** The database has all that it does: its record takes the place of those that it replaces. */
  isReplacement: boolean;
  /** The previous version cannot run beside this: the migration itself, or the one that an online one is done for. */
  stopFirst?: Migration;
}

/**
 * Finds what a start has to do next with a database, undefined if nothing. Online migrations are left for later, except those before one that the
 * previous version cannot run beside: it may need them, and nobody waits for a table then. What a newer version has applied since is no fault where
 * it says that this one can go on. Throws MigrationFault.
 */
export function nextStep(
  migrations: readonly Migration[],
  records: readonly MigrationRecord[],
  { isInOrder = false } = {},
): MigrationStep | undefined {
  const unfinished = records.find(({ isFinished }) => !isFinished);
  if (unfinished) {
    throw new MigrationFault(
      `The migration ${unfinished.name} started but never finished. Restore a backup or complete the migration manually.`,
    );
  }
  const replacement = migrations.find(({ replaces }) => records.some(({ name }) => replaces.has(name)));
  if (replacement) requireAllReplaced(replacement, records);
  const others = records.filter(({ name }) => !replacement?.replaces.has(name));
  requireKnown(migrations, others);
  if (replacement) return { migration: replacement, isReplacement: true, stopFirst: stopping(replacement) };
  const missing = missingOf(migrations, records);
  const next = missing.find(({ rolling }) => isInOrder || !rolling?.isOnline);
  const stopFirst = next && stopping(next);
  const migration = stopFirst ? missing[0] : next;
  return migration && { migration, isReplacement: false, stopFirst };
}

/** Lists the online migrations that a database has yet to get. */
export function pendingOnline(
  migrations: readonly Migration[],
  records: readonly Pick<MigrationRecord, "name">[],
): Migration[] {
  return missingOf(migrations, records).filter(({ rolling }) => rolling?.isOnline);
}

function missingOf(migrations: readonly Migration[], records: readonly Pick<MigrationRecord, "name">[]): Migration[] {
  const done = new Set(records.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

function stopping(migration: Migration): Migration | undefined {
  return migration.rolling?.isSafe === false ? migration : undefined;
}

function requireAllReplaced({ name: ground, replaces }: Migration, records: readonly MigrationRecord[]): void {
  const there = records.filter(({ name }) => replaces.has(name));
  const other = there.find(({ name, checksum }) => replaces.get(name) !== checksum);
  if (other) {
    throw new MigrationFault(
      `Restore a backup or start on an empty database: the migration ${other.name} of this one was changed before it was applied, so ${ground} cannot replace it.`,
    );
  }
  if (new Set(there.map(({ name }) => name)).size < replaces.size) {
    throw new MigrationFault(
      `Start version ${LAST_WITH_REPLACED} on this database once, then this version: it has ${there.length} of the ${replaces.size} migrations that ${ground} replaces, and that version applies the others.`,
    );
  }
}

function requireKnown(migrations: readonly Migration[], records: readonly MigrationRecord[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum, isSafe } of records) {
    const migration = known.get(name);
    if (!migration && isSafe) continue;
    if (!migration) {
      throw new MigrationFault(
        `The database is newer than this version of Almanac: it has the unknown migration ${name}.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationFault(
        `The migration ${name} was changed after it was applied to this database. Restore the original file.`,
      );
    }
  }
}
