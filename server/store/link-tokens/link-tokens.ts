import type { Query } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { digest } from "@/server/db/sealed";
import { run } from "@/server/db/statement";
import type { Access } from "@/server/domain/access";
import { PAGE_LIFE_MS } from "@/server/domain/grants";
import type { Provider } from "@/server/domain/providers";
import { lockAccount } from "@/server/store/accounts/lock-account";
import { accountOfLinkToken, type LinkTokenRow } from "@/server/store/link-tokens/link-tokens.sql";

/** The profile that a reconnect link is for. */
export interface ReconnectedProfile {
  id: string;
  provider: Provider;
  subject: string;
  name: string;
  access: Access;
}

/** The account to which a link token adds a calendar account. */
export interface LinkedAccount {
  accountId: string;
  /** Its owner's name for it: an email address, or the name of an application calendar. */
  name: string;
  /** Null: it is no reconnect link. */
  reconnects: ReconnectedProfile | null;
}

interface NewLinkToken {
  token: string;
  accountId: string;
  /** Of a reconnect link. Omitted: the token adds a calendar account. */
  profileId?: string;
  lifeMs: number;
  /** In milliseconds since 1970. */
  now: number;
}

/** Stores a link token of an account as SHA-256. */
export async function storeLinkToken(
  prisma: Prisma.TransactionClient,
  { token, accountId, profileId, lifeMs, now }: NewLinkToken,
): Promise<void> {
  const times = { createdAt: new Date(now), expiresAt: new Date(now + lifeMs) };
  const data = { hash: digest(token), accountId, profileId, ...times };
  await prisma.linkToken.create({ select: { hash: true }, data });
}

/** Loads the account of a link token that can open a page now. Null for any other text. */
export async function openLinkToken(
  query: Query,
  { token, applicationId, now }: { token: string; applicationId: string; now: number },
): Promise<(LinkedAccount & { hash: Buffer<ArrayBuffer> }) | null> {
  const hash = digest(token);
  const [row] = await run(query, accountOfLinkToken, [hash, applicationId, new Date(now)]);
  return row ? { ...linkedOf(row), hash } : null;
}

export interface LinkUse {
  /** SHA-256 of the token. */
  hash: Buffer<ArrayBuffer>;
  applicationId: string;
  /** In milliseconds since 1970. */
  now: number;
}

/** Loads the account of a link token whose page was opened in time. Null when the token was used or the account is gone. */
export async function linkedAccount(
  query: Query,
  { hash, applicationId, now }: LinkUse,
): Promise<LinkedAccount | null> {
  const [row] = await run(query, accountOfLinkToken, [hash, applicationId, new Date(now - PAGE_LIFE_MS)]);
  return row ? linkedOf(row) : null;
}

function linkedOf({
  accountId,
  name,
  profileId: id,
  provider,
  subject,
  profileName,
  access,
}: LinkTokenRow): LinkedAccount {
  const isReconnect = id !== null && provider !== null && subject !== null && profileName !== null && access !== null;
  return { accountId, name, reconnects: isReconnect ? { id, provider, subject, name: profileName, access } : null };
}

/**
 * Loads the account like `linkedAccount` and locks it for the rest of the transaction, before anything else, as a
 * revocation does.
 */
export async function lockLinkedAccount(query: Query, use: LinkUse): Promise<LinkedAccount | null> {
  const linked = await linkedAccount(query, use);
  if (!linked) return null;
  await lockAccount(query, linked.accountId);
  return linkedAccount(query, use);
}

/** Marks a link token used: of any number of parallel calls one gets true. */
export async function spendLinkToken(
  prisma: Prisma.TransactionClient,
  { hash, now }: Pick<LinkUse, "hash" | "now">,
): Promise<boolean> {
  const where = { hash, usedAt: null };
  const { count } = await prisma.linkToken.updateMany({ where, data: { usedAt: new Date(now) } });
  return count > 0;
}
