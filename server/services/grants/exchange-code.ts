import { createHash, timingSafeEqual } from "node:crypto";
import type { Connection, Database } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import type { Provider } from "@/server/domain/providers";
import { providerName } from "@/server/domain/wire-names";
import { type JoinInput, joinPending, lockPendingAccount } from "@/server/services/connect/pending-link";
import { tokenResponse } from "@/server/services/grants/token-response";
import { oauthRefusal } from "@/server/services/refusal";
import type { Context } from "@/server/services/trpc";
import { revokeAccount } from "@/server/store/accounts/revoke-account";
import { noteGrantOfCode, takeCode } from "@/server/store/grants/codes";
import type { TakenCode } from "@/server/store/grants/codes.sql";
import { issueGrant, type TokenPair } from "@/server/store/grants/tokens";
import { wakeProfile } from "@/server/store/profiles/connected-profile";

/** A replay this soon after the first use is a client's own retry, not a theft (ADR 90). */
const RETRY_GRACE_MS = 10_000;

export interface CodeExchange {
  applicationId: string;
  code: string;
  redirectUri: string;
  codeVerifier?: string;
  /** Nothing but the verifier shows that the client is the one that asked for the code. */
  isPublic: boolean;
}

export interface LinkingProfile {
  provider_name: string;
  profile_id: string;
  profile_name: string | null;
}

/**
 * Exchanges an authorization code: exactly one of any number of parallel calls succeeds. Joins a calendar account that
 * came with a link token to its account. A replay by the right client with the right redirect URI more than 10 seconds
 * later revokes the grant. Throws invalid_grant.
 */
export async function exchangeCode(ctx: Pick<Context, "db" | "now" | "names">, given: CodeExchange) {
  const hash = digest(given.code);
  const exchanged = await ctx.db.transaction(async (query, prisma) => {
    await lockPendingAccount({ query, prisma }, { hash, ...given });
    const code = await takeCode(query, { hash, ...given }, ctx.now);
    if (!code) return null;
    if (given.isPublic && code.codeChallenge === null) throw refusedCode();
    if (!verifies(code.codeChallenge, given.codeVerifier)) throw refusedCode();
    const { accountId, pending } = code;
    const joining = { applicationId: given.applicationId, accountId, codeHash: hash, now: ctx.now };
    const profile = pending === null ? profileOf(code) : await joinOrUndo({ query, prisma }, { ...joining, pending });
    const { grantId, ...pair } = await issueGrant(query, { accountId, now: ctx.now, rotates: given.isPublic });
    await noteGrantOfCode(prisma, hash, grantId);
    return { hasJoined: pending !== null, response: codeResponse(pair, { accountId, ...profile }, ctx) };
  });
  if (!exchanged) {
    await punishReplay(ctx.db, given, ctx.now);
    throw refusedCode();
  }
  if (exchanged.hasJoined) wakeProfile();
  return exchanged.response;
}

interface ExchangedProfile {
  profileId: string;
  provider: Provider;
  name: string;
}

function profileOf({ profileId, provider, profileName: name }: TakenCode): ExchangedProfile {
  if (profileId === null || provider === null || name === null) throw refusedCode();
  return { profileId, provider, name };
}

/** Joins the pending calendar account. Rolls the transaction back when it cannot join: the code ends unused. */
async function joinOrUndo(connection: Connection, input: JoinInput): Promise<ExchangedProfile> {
  const profile = await joinPending(connection, input);
  if (profile) return profile;
  throw oauthRefusal("invalid_grant", "The calendar account was connected to another account in the meantime");
}

/** Builds the response for an account whose profile was connected. */
export function codeResponse(
  pair: TokenPair,
  { accountId, profileId, provider, name }: ExchangedProfile & { accountId: string },
  { names }: Pick<Context, "names">,
) {
  const linking_profile: LinkingProfile = {
    provider_name: providerName(names, provider),
    profile_id: profileId,
    profile_name: name,
  };
  return { ...tokenResponse(pair), sub: accountId, account_id: accountId, linking_profile };
}

/**
 * Verifies the code_verifier (RFC 7636 §4.6) of authorization requests that sent a code_challenge (S256); without a
 * challenge there is nothing to verify (RFC 9700 §4.8).
 */
function verifies(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  if (verifier === undefined) return false;
  const computed = createHash("sha256").update(verifier).digest();
  const expected = Buffer.from(challenge, "base64url");
  return expected.length === computed.length && timingSafeEqual(expected, computed);
}

async function punishReplay(
  db: Database,
  { applicationId, code, redirectUri }: CodeExchange,
  now: number,
): Promise<void> {
  const isUsed = { grantId: { not: null }, usedAt: { lt: new Date(now - RETRY_GRACE_MS) } };
  const used = await db.prisma.code.findFirst({
    where: { hash: digest(code), applicationId, redirectUri, ...isUsed },
    select: { accountId: true },
  });
  if (used) await revokeAccount(db, used.accountId, now);
}

function refusedCode() {
  return oauthRefusal(
    "invalid_grant",
    "The code is unknown, expired, already used, or was issued for another redirect URI",
  );
}
