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
 * SHA-256 only. Throws signed_out when the account is revoked in the meantime.
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

/** A page that was opened in time may be sent this much later. */
const PAGE_LIFE_MS = 30 * 60_000;

/** The account that a link token adds a calendar account to. */
export interface LinkedAccount {
  accountId: string;
  /** What its owner knows it by: an email address, or the name of an application calendar. */
  name: string;
}

interface LinkUse {
  /** SHA-256 of the token. */
  hash: Buffer;
  applicationId: string;
  /** Milliseconds since 1970. */
  now: number;
}

const unused = `SELECT a.id AS "accountId", CASE a.kind WHEN 'account' THEN a.email ELSE a.name END AS name
FROM accounts a JOIN link_tokens t ON t.account_id = a.id
WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > $3 AND a.application_id = $2 AND a.revoked_at IS NULL`;

/** The account of a link token that a page may be opened with now; null for any other text. */
export async function openLinkToken(
  db: Database,
  { token, applicationId, now }: { token: string; applicationId: string; now: number },
): Promise<(LinkedAccount & { hash: Buffer }) | null> {
  const hash = digest(token);
  const [account] = await db.query<LinkedAccount>(unused, [hash, applicationId, new Date(now)]);
  return account ? { ...account, hash } : null;
}

/** The account of a link token whose page was opened in time; null when the token was used or the account is gone. */
export async function linkedAccount(
  query: Query,
  { hash, applicationId, now }: LinkUse,
): Promise<LinkedAccount | null> {
  const [account] = await query<LinkedAccount>(unused, [hash, applicationId, new Date(now - PAGE_LIFE_MS)]);
  return account ?? null;
}

/** As `linkedAccount`, and takes the account for the rest of the transaction, first of all as a revocation does. */
export async function takeLinkedAccount(query: Query, use: LinkUse): Promise<LinkedAccount | null> {
  const found = await linkedAccount(query, use);
  if (!found) return null;
  await query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [found.accountId]);
  return linkedAccount(query, use);
}

/** Uses a link token up: of any number of parallel calls one gets true. */
export async function spendLinkToken(query: Query, { hash, now }: Pick<LinkUse, "hash" | "now">): Promise<boolean> {
  const used = await query("UPDATE link_tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL RETURNING hash", [
    hash,
    new Date(now),
  ]);
  return used.length > 0;
}
