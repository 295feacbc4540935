import type { Query } from "@/server/db/client";
import { Refusal } from "@/server/services/refusal";

/**
 * Takes the account for the rest of the transaction, first of all as a revocation does: it comes before or after, never in
 * between, and the account's channels are opened and closed one after another. Throws signed_out when it has been revoked.
 */
export async function lockAccount(query: Query, accountId: string): Promise<void> {
  const open = await query("SELECT FROM accounts WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE", [accountId]);
  if (open.length > 0) return;
  throw new Refusal({ kind: "signed_out", error: "invalid_token", description: "The access token was revoked" });
}
