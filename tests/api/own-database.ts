import { afterAll, beforeAll } from "vitest";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { testDatabase } from "../fakes/test-database";

/**
 * A database for this file alone, of the kind that the run uses: for what looks at everybody's rows, such as draining, or
 * moves the clock. Call it where the file begins; `env` is asked when its own beforeAlls before this have run.
 */
export function ownDatabase(env: () => Record<string, string> = () => ({})): void {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  beforeAll(async () => {
    database = await testDatabase();
    provideEnv({ ...env(), DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await db().close();
    await database.close();
  });
}
