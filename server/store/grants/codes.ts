import type { Query } from "@/server/db/client";
import type { Prisma } from "@/server/db/generated/client";
import { run } from "@/server/db/statement";
import { CODE_LIFE_MS } from "@/server/domain/grants";
import { type TakenCode, takeCodeStatement } from "@/server/store/grants/codes.sql";

export interface NewCode {
  /** SHA-256 of the code. */
  hash: Buffer<ArrayBuffer>;
  applicationId: string;
  accountId: string;
  /** Null while `pending` holds the calendar account. */
  profileId: string | null;
  /** The calendar account, sealed, that joins the account when the code is exchanged. */
  pending: string | null;
  redirectUri: string;
  codeChallenge: string | null;
  /** In milliseconds since 1970. */
  now: number;
}

/** Stores an authorization code. */
export async function storeCode(prisma: Prisma.TransactionClient, { now, ...code }: NewCode): Promise<void> {
  const times = { createdAt: new Date(now), expiresAt: new Date(now + CODE_LIFE_MS) };
  await prisma.code.create({ select: { hash: true }, data: { ...code, ...times } });
}

export interface SentCode {
  /** SHA-256 of the code. */
  hash: Buffer<ArrayBuffer>;
  applicationId: string;
  redirectUri: string;
}

/** Loads the account of an unused code with a pending calendar account. Undefined for any other code. */
export async function pendingAccount(
  prisma: Prisma.TransactionClient,
  { hash, applicationId, redirectUri }: SentCode,
): Promise<string | undefined> {
  const where = { hash, applicationId, redirectUri, pending: { not: null }, usedAt: null };
  const code = await prisma.code.findFirst({ select: { accountId: true }, where });
  return code?.accountId;
}

/** Marks a code used: of any number of parallel calls one gets it. Undefined when it is unknown, used, expired or another application's. */
export async function takeCode(
  query: Query,
  { hash, applicationId, redirectUri }: SentCode,
  now: number,
): Promise<TakenCode | undefined> {
  const [code] = await run(query, takeCodeStatement, [hash, applicationId, redirectUri, new Date(now)]);
  return code;
}

/** Records the profile that a code's pending calendar account has become, and deletes the pending account. */
export async function noteProfileOfCode(
  prisma: Prisma.TransactionClient,
  hash: Buffer<ArrayBuffer>,
  profileId: string,
): Promise<void> {
  await prisma.code.update({ select: { hash: true }, where: { hash }, data: { pending: null, profileId } });
}

/** Records the grant that a code was exchanged for. */
export async function noteGrantOfCode(
  prisma: Prisma.TransactionClient,
  hash: Buffer<ArrayBuffer>,
  grantId: string,
): Promise<void> {
  await prisma.code.update({ select: { hash: true }, where: { hash }, data: { grantId } });
}
