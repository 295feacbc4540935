import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { lockAccountStatement, lockLivingAccountStatement } from "@/server/store/accounts/accounts.sql";

/** Locks an account for the rest of the transaction, before anything that it owns, as a revocation does. */
export async function lockAccount(query: Query, accountId: string): Promise<void> {
  await run(query, lockAccountStatement, [accountId]);
}

/** Locks an account like `lockAccount`. Returns false when it has been revoked. */
export async function lockLivingAccount(query: Query, accountId: string): Promise<boolean> {
  return (await run(query, lockLivingAccountStatement, [accountId])).length > 0;
}
