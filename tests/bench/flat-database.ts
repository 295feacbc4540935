import { connect, type Database } from "@/server/db/client";
import { flatTables } from "@/tests/bench/cost/bare-tables";
import { newDatabase } from "@/tests/fakes/new-database";

/** A database with the tables of the bare server. */
export interface Flat {
  url: string;
  db: Database;
  close(): Promise<void>;
}

export async function newFlat(address: string): Promise<Flat> {
  const database = await newDatabase(address, "bare_bench");
  const db = connect(database.url);
  for (const statement of flatTables.split(";")) if (statement.trim()) await db.query(statement);
  const close = async () => {
    await db.close();
    await database.close();
  };
  return { url: database.url, db, close };
}
