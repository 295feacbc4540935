import type { Query } from "@/server/db/client";
import { run } from "@/server/db/statement";
import { CODE_LIFE_MS } from "@/server/domain/grants";
import {
  accountOfPendingCode,
  insertCode,
  setGrantOfCode,
  setProfileOfCode,
  type TakenCode,
  takeCodeStatement,
} from "@/server/store/grants/codes.sql";

export interface NewCode {
  /** SHA-256 of the code. */
  hash: Buffer;
  applicationId: string;
  accountId: string;
  /** Null while `pending` holds the calendar account. */
  profileId: string | null;
  /** The calendar account, sealed, that joins the account when the code is exchanged. */
  pending: string | null;
  redirectUri: string;
  codeChallenge: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** Stores an authorization code. */
export async function storeCode(query: Query, code: NewCode): Promise<void> {
  const { hash, applicationId, accountId, profileId, pending, redirectUri, codeChallenge, now } = code;
  const owner = [hash, applicationId, accountId, profileId, pending];
  const times = [new Date(now), new Date(now + CODE_LIFE_MS)];
  await run(query, insertCode, [...owner, redirectUri, codeChallenge, ...times]);
}

export interface SentCode {
  /** SHA-256 of the code. */
  hash: Buffer;
  applicationId: string;
  redirectUri: string;
}

/** The account of an unused code with a pending calendar account. Undefined for any other code. */
export async function pendingAccount(
  query: Query,
  { hash, applicationId, redirectUri }: SentCode,
): Promise<string | undefined> {
  const [found] = await run(query, accountOfPendingCode, [hash, applicationId, redirectUri]);
  return found?.accountId;
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

/** Notes which profile a code's pending calendar account has become, and forgets what was pending. */
export async function noteProfileOfCode(query: Query, hash: Buffer, profileId: string): Promise<void> {
  await run(query, setProfileOfCode, [hash, profileId]);
}

/** Notes which grant a code was exchanged for. */
export async function noteGrantOfCode(query: Query, hash: Buffer, grantId: string): Promise<void> {
  await run(query, setGrantOfCode, [hash, grantId]);
}
