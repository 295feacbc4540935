import type { Query } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import {
  pauseDeliveries,
  pauseSyncs,
  pauseWrites,
  resumeDeliveries,
  resumeSyncs,
  resumeWrites,
} from "@/server/store/applications/pause.sql";

/** Pauses an application's background work, in the transaction that disables it (ADR 67). */
export async function pauseApplication(query: Query, applicationId: string): Promise<void> {
  await run(query, pauseSyncs, [applicationId]);
  await run(query, pauseWrites, [applicationId]);
  await run(query, pauseDeliveries, [applicationId, databaseTime()]);
}

/** Resumes an application's background work. Call `wake` for "sync", "push" and "deliver" after the commit. */
export async function resumeApplication(query: Query, applicationId: string): Promise<void> {
  await run(query, resumeSyncs, [applicationId]);
  await run(query, resumeWrites, [applicationId, databaseTime()]);
  await run(query, resumeDeliveries, [applicationId, databaseTime()]);
}
