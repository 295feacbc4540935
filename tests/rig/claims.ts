import type { Database } from "@/server/db/client";

const leases = { deliveries: "lease", provider_writes: "lease", profile_syncs: "sync_lease" };
type Claimed = keyof typeof leases;

/** Notes from now on which process claims which row of a table, by the application_name of its connections. */
export async function noteClaims(db: Database, table: Claimed = "deliveries"): Promise<void> {
  const lease = leases[table];
  await db.query("CREATE TABLE IF NOT EXISTS claims (claimed text NOT NULL, lease text NOT NULL, by text NOT NULL)");
  await db.query(
    `CREATE FUNCTION note_claim_of_${table}() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN INSERT INTO claims VALUES (''${table}'', NEW.${lease}, current_setting(''application_name'')); RETURN NULL; END'`,
  );
  await db.query(
    `CREATE TRIGGER note_claim AFTER UPDATE OF ${lease} ON ${table} FOR EACH ROW WHEN (NEW.${lease} IS NOT NULL)
EXECUTE FUNCTION note_claim_of_${table}()`,
  );
}

/** How many claims of a table's rows each process made. */
export async function claimsByProcess(db: Database, table: Claimed = "deliveries"): Promise<Record<string, number>> {
  const rows = await db.query<{ by: string; n: number }>(
    "SELECT by, count(*)::int AS n FROM claims WHERE claimed = $1 GROUP BY by",
    [table],
  );
  return Object.fromEntries(rows.map(({ by, n }) => [by, n]));
}

/** The address of a database, for connections that bear a name. */
export function named(url: string, name: string): string {
  const address = new URL(url);
  address.searchParams.set("application_name", name);
  return address.href;
}
