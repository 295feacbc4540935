import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import type { PartVersion } from "@/server/providers/connector";
import { notePartStatement } from "@/server/store/provider-writes/provider-writes.sql";

/** Stores that the provider has accepted one of the requests of a write: what it has of it is no change of others. */
export async function notePart(
  db: Database,
  write: { id: string; calendarId: string; lease: string },
  { externalId, part, version }: PartVersion,
): Promise<void> {
  await run(db.query, notePartStatement, [write.calendarId, write.id, write.lease, externalId, part, version]);
}
