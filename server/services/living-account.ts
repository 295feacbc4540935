import type { Database, Query } from "@/server/db/client";
import { Refusal } from "@/server/services/refusal";
import { lockLivingAccount } from "@/server/store/accounts/lock-account";

/**
 * Locks the account for the rest of the transaction, before anything else, as a revocation does: it comes before or
 * after, never in between, and the account's channels are opened and closed one after another. Throws signed_out when
 * the account has been revoked.
 */
export async function requireLivingAccount(query: Query, accountId: string): Promise<void> {
  if (!(await lockLivingAccount(query, accountId))) throw revokedRefusal();
}

/** Throws signed_out when the account was revoked after the request's token was looked up: its data can no longer be found. */
export async function refuseRevoked({ prisma }: Database, accountId: string): Promise<void> {
  if ((await prisma.account.count({ where: { id: accountId, revokedAt: null } })) === 0) throw revokedRefusal();
}

function revokedRefusal(): Refusal {
  return new Refusal({ kind: "signed_out", error: "invalid_token", description: "The access token was revoked" });
}
