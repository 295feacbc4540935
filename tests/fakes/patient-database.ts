import { context } from "@/server/context";
import { connect } from "@/server/db/client";

const LONGEST_MS = 300_000;

/**
 * From now on this process's database is the one of DATABASE_URL. It is waited for longer than the service waits, which gives a
 * connection up after five seconds: on a busy machine the embedded database may take as long for a statement of another test file.
 */
export function openPatientDatabase(): void {
  const patience = { connectionTimeoutMillis: LONGEST_MS, query_timeout: LONGEST_MS, keepAlive: true };
  context.database = connect(process.env.DATABASE_URL, patience);
}
