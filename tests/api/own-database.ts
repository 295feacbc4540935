import { afterAll } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { testDatabase } from "../fakes/test-database";

/**
 * A database for this file alone, of the kind that the run uses: for what looks at everybody's rows, such as draining, or
 * moves the clock. Call it in a beforeAll, before anything reads the database.
 */
export async function ownDatabase(env: Record<string, string> = {}): Promise<void> {
  const { url, close } = await testDatabase();
  afterAll(async () => {
    await db().close();
    await close();
  });
  provideEnv({ ...env, DATABASE_URL: url });
}
