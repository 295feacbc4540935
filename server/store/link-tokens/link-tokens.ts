import type { Query } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import { LINK_TOKEN_MS, PAGE_LIFE_MS } from "@/server/domain/grants";
import { lockAccount } from "@/server/store/accounts/lock-account";
import {
  accountOfLinkToken,
  insertLinkToken,
  type LinkedAccount,
  markLinkTokenUsed,
} from "@/server/store/link-tokens/link-tokens.sql";

interface NewLinkToken {
  token: string;
  accountId: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Stores a link token of an account as SHA-256. */
export async function storeLinkToken(query: Query, { token, accountId, now }: NewLinkToken): Promise<void> {
  await run(query, insertLinkToken, [digest(token), accountId, new Date(now), new Date(now + LINK_TOKEN_MS)]);
}

/** The account of a link token that a page may be opened with now. Null for any other text. */
export async function openLinkToken(
  query: Query,
  { token, applicationId, now }: { token: string; applicationId: string; now: number },
): Promise<(LinkedAccount & { hash: Buffer }) | null> {
  const hash = digest(token);
  const [account] = await run(query, accountOfLinkToken, [hash, applicationId, new Date(now)]);
  return account ? { ...account, hash } : null;
}

export interface LinkUse {
  /** SHA-256 of the token. */
  hash: Buffer;
  applicationId: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** The account of a link token whose page was opened in time. Null when the token was used or the account is gone. */
export async function linkedAccount(
  query: Query,
  { hash, applicationId, now }: LinkUse,
): Promise<LinkedAccount | null> {
  const [account] = await run(query, accountOfLinkToken, [hash, applicationId, new Date(now - PAGE_LIFE_MS)]);
  return account ?? null;
}

/** As `linkedAccount`, and locks the account for the rest of the transaction, first of all as a revocation does. */
export async function lockLinkedAccount(query: Query, use: LinkUse): Promise<LinkedAccount | null> {
  const found = await linkedAccount(query, use);
  if (!found) return null;
  await lockAccount(query, found.accountId);
  return linkedAccount(query, use);
}

/** Uses a link token up: of any number of parallel calls one gets true. */
export async function spendLinkToken(query: Query, { hash, now }: Pick<LinkUse, "hash" | "now">): Promise<boolean> {
  const used = await run(query, markLinkTokenUsed, [hash, new Date(now)]);
  return used.length > 0;
}
