import { afterAll, beforeAll } from "vitest";
import { context } from "@/server/context";
import { db } from "@/server/db/client";
import { provideEnv } from "@/server/env";
import { openPatientDatabase } from "../fakes/patient-database";
import { reusedDatabase } from "../fakes/reused-database";

/** Making one is over in seconds on a machine that has nothing else to do. */
const PATIENCE_MS = 300_000;

/**
 * A database for this file alone, of the kind that the run uses: for what looks at everybody's rows, such as draining, or
 * moves the clock. Call it where the file begins; `env` is asked when its own beforeAlls before this have run.
 */
export function ownDatabase(env: () => Record<string, string> = () => ({})): void {
  let database: Awaited<ReturnType<typeof reusedDatabase>>;
  beforeAll(async () => {
    database = await reusedDatabase();
    provideEnv({ ...env(), DATABASE_URL: database.url });
    openPatientDatabase();
  }, PATIENCE_MS);
  afterAll(async () => {
    // The service ends after its database here, and would try for a while to write what it has still to log.
    await context.services?.requestLog.flush(10_000);
    await db().close();
    await database.close();
  }, PATIENCE_MS);
}
