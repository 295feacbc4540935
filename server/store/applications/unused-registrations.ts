import type { Database } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { UNUSED_REGISTRATION_MS } from "@/server/domain/grants";
import type { Instant } from "@/server/domain/time/instant";
import { deleteUnused, lockUnused } from "@/server/store/applications/unused-registrations.sql";

/**
 * Marks clients that registered themselves a day ago and never connected an account as deleted: the same chore erases
 * them. They are locked first, so that no account is connected meanwhile.
 */
export async function deleteUnusedRegistrations(db: Database, now: Instant): Promise<void> {
  await db.transaction(async (query) => {
    const unused = await run(query, lockUnused, [new Date(now - UNUSED_REGISTRATION_MS)]);
    if (unused.length > 0) await run(query, deleteUnused, [unused.map(({ id }) => id), new Date(now)]);
  });
}
