import { context } from "@/server/context";
import { connect, type Database } from "@/server/db/client";
import { MigrationFault } from "@/server/db/migration-steps";
import { migrate } from "@/server/db/migrations";
import { runOne } from "@/server/db/statement";
import { type Finding, fail, ok, warn } from "@/server/front-door/doctor/report";
import { rowCounts } from "@/server/front-door/restore-check/rows.sql";
import { codeOf } from "@/server/front-door/start-error";
import { readEverySealed } from "@/server/store/sealing/reseal";

/** Examines a restored database: its migrations, its rows, and whether the keys open what is sealed in it. */
export async function examineRestored(url: string, migrations: string): Promise<Finding[]> {
  const migrated = await broughtUp(url, migrations);
  if (migrated.status === "fail") return [migrated];
  const opened = connect(url, { max: 1 });
  const before = context.database;
  context.database = opened;
  try {
    return [migrated, await rows(opened), await sealed(opened)];
  } finally {
    context.database = before;
    await opened.close();
  }
}

/** Brings it up to this version, as a start would. */
async function broughtUp(url: string, folder: string): Promise<Finding> {
  try {
    const applied = await migrate(url, folder);
    if (applied.length === 0) return ok("migrations", "It is of this version.");
    return ok("migrations", `It is of an older version, and ${applied.length} migrations bring it up to this one.`);
  } catch (error) {
    if (error instanceof MigrationFault) return fail("migrations", error.message);
    return fail("migrations", `They can't be applied (${codeOf(error)}).`);
  }
}

async function rows({ query }: Database): Promise<Finding> {
  const counts = await runOne(query, rowCounts);
  const text = Object.entries(counts)
    .map(([table, count]) => `${count} ${table}`)
    .join(", ");
  return counts.applications === 0 ? fail("rows", `${text}: it is empty.`) : ok("rows", text);
}

async function sealed(db: Database): Promise<Finding> {
  const found = await readEverySealed(db);
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const unreadable = found.filter((one) => one.unreadable > 0);
  if (total === 0) return warn("encryption keys", "Nothing in it is encrypted, so the keys can't be checked.");
  if (unreadable.length === 0) return ok("encryption keys", `ENCRYPTION_KEYS open all ${total} encrypted values.`);
  const list = unreadable.map(
    ({ table, column, unreadable, count }) => `${table}.${column} (${unreadable} of ${count})`,
  );
  return fail(
    "encryption keys",
    `ENCRYPTION_KEYS don't open ${list.join(", ")}. Find the keys of that time: without them these values are lost.`,
  );
}
