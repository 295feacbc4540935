import type { Database } from "@/server/db/client";

/** Notes from now on which process claims which delivery, by the application_name of its connections. */
export async function noteClaims(db: Database): Promise<void> {
  await db.query("CREATE TABLE claims (delivery_id text NOT NULL, by text NOT NULL)");
  await db.query(
    `CREATE FUNCTION note_claim() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN INSERT INTO claims VALUES (NEW.id, current_setting(''application_name'')); RETURN NULL; END'`,
  );
  await db.query(
    `CREATE TRIGGER note_claim AFTER UPDATE OF lease ON deliveries FOR EACH ROW WHEN (NEW.lease IS NOT NULL)
EXECUTE FUNCTION note_claim()`,
  );
}

/** How many claims each process made. */
export async function claimsByProcess(db: Database): Promise<Record<string, number>> {
  const rows = await db.query<{ by: string; n: number }>("SELECT by, count(*)::int AS n FROM claims GROUP BY by");
  return Object.fromEntries(rows.map(({ by, n }) => [by, n]));
}

/** The address of a database, for connections that bear a name. */
export function named(url: string, name: string): string {
  const address = new URL(url);
  address.searchParams.set("application_name", name);
  return address.href;
}
