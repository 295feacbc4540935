import type { Database } from "@/server/db/client";
import { databaseTime } from "@/server/db/database-time";
import { run } from "@/server/db/statement";
import type { Provider } from "@/server/domain/providers";
import { pauseMailboxStatement, pauseProviderStatement } from "@/server/store/mailboxes/throttling.sql";

/** Nothing is read from a profile's provider or written to it for so many milliseconds. An earlier, longer pause stays. */
export async function pauseMailbox(db: Database, profileId: string, forMs: number): Promise<void> {
  await run(db.query, pauseMailboxStatement, [profileId, forMs, databaseTime()]);
}

/** As `pauseMailbox`, for every profile of a provider. */
export async function pauseProvider(db: Database, provider: Provider, forMs: number): Promise<void> {
  await run(db.query, pauseProviderStatement, [provider, forMs, databaseTime()]);
}
