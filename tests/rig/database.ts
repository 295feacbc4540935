import { resolve } from "node:path";
import { connect, type Database } from "@/server/db/client";
import { migrate } from "@/server/db/migrations";
import { newDatabase } from "@/tests/fakes/new-database";

const { BENCH_DATABASE_URL, FAULTS_DATABASE_URL } = process.env;

/** The PostgreSQL server on which databases are made. */
export const SERVER = BENCH_DATABASE_URL ?? FAULTS_DATABASE_URL ?? "postgresql://root@127.0.0.1:5432/postgres";

/** A new database with the tables of the service, and a pool of connections to it. */
export interface OpenDatabase {
  url: string;
  db: Database;
  close(): Promise<void>;
}

/** Makes a database on a PostgreSQL server. Its name begins with the given one. */
export async function openDatabase(server: string, prefix: string): Promise<OpenDatabase> {
  const { url, close } = await newDatabase(server, prefix);
  const db = connect(url);
  try {
    await migrate(url, resolve("prisma/migrations"));
  } catch (error) {
    await db.close();
    await close();
    throw error;
  }
  return {
    ...{ url, db },
    close: async () => {
      await db.close();
      await close();
    },
  };
}

export function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** The address of a database, for connections that bear a name. */
export function named(url: string, name: string): string {
  const address = new URL(url);
  address.searchParams.set("application_name", name);
  return address.href;
}
