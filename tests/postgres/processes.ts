import { connect, type Database } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { testDatabase } from "@/tests/fakes/test-database";

export interface Processes {
  db: Database;
  /** A pool for each of the others. */
  others: Database[];
  close(): Promise<void>;
}

/** A new database, with a pool for the test and one for each of some processes that meet there. */
export async function openProcesses(count: number): Promise<Processes> {
  const database = await testDatabase();
  // Vite puts its own BASE_URL into the environment of every test.
  provideEnv({ DATABASE_URL: database.url, BASE_URL: "http://api.almanac.localhost" });
  const db = connect(database.url);
  const others = Array.from({ length: count }, () => connect(database.url));
  const close = async () => {
    await Promise.all([db, ...others].map((one) => one.close()));
    await database.close();
  };
  return { db, others, close };
}
