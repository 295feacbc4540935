import { z } from "zod";
import type { Database, Query } from "@/server/db/client";
import { newToken } from "@/server/db/new-id";
import { digest } from "@/server/db/sealed";
import { lockAccount } from "@/server/services/channels/account-lock";
import { accountProcedure } from "@/server/services/trpc";

/** "Link token: single use, 5 minutes" ("Limits"). */
export const LINK_TOKEN_MS = 300_000;

/** What POST /v1/link_tokens answers. */
export const linkTokenAnswer = z.object({ link_token: z.string().regex(/^lt_/) });

/**
 * POST /v1/link_tokens: `{ link_token }`, with which the connect page adds one more calendar account to this account. Stored as
 * SHA-256 only. Throws signed_out when the account is revoked meanwhile.
 */
export const createLinkToken = accountProcedure.mutation(async ({ ctx }) => {
  const link_token = newToken("lt");
  const { accountId } = ctx.bearer;
  await ctx.db.transaction(async (query) => {
    await lockAccount(query, accountId);
    await query("INSERT INTO link_tokens (hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)", [
      digest(link_token),
      accountId,
      new Date(ctx.now),
      new Date(ctx.now + LINK_TOKEN_MS),
    ]);
  });
  return { link_token };
});

/** The hash of a link token of this application that can be used now (milliseconds since 1970); null for any other text. */
export async function openLinkToken(
  db: Database,
  { token, applicationId, now }: { token: string; applicationId: string; now: number },
): Promise<Buffer | null> {
  const hash = digest(token);
  const found = await db.query(
    `SELECT FROM link_tokens t JOIN accounts a ON a.id = t.account_id WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > $2
AND a.application_id = $3 AND a.revoked_at IS NULL`,
    [hash, new Date(now), applicationId],
  );
  return found.length > 0 ? hash : null;
}

/** A page that was opened in time may be sent this much later. */
const PAGE_LIFE_MS = 30 * 60_000;

/**
 * Uses a link token up, and takes its account for the rest of the transaction: of any number of parallel calls one gets the
 * account's id, and the others null.
 */
export async function spendLinkToken(
  query: Query,
  { hash, applicationId, now }: { hash: Buffer; applicationId: string; now: number },
): Promise<string | null> {
  // The account first, as a revocation takes it.
  const [account] = await query<{ id: string }>(
    `SELECT a.id FROM accounts a JOIN link_tokens t ON t.account_id = a.id
WHERE t.hash = $1 AND a.application_id = $2 AND a.revoked_at IS NULL AND t.expires_at > $3 FOR NO KEY UPDATE OF a`,
    [hash, applicationId, new Date(now - PAGE_LIFE_MS)],
  );
  const used = await query("UPDATE link_tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL RETURNING hash", [
    hash,
    new Date(now),
  ]);
  return account && used.length > 0 ? account.id : null;
}
