import { createHash, timingSafeEqual } from "node:crypto";
import type { Database, Query } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import type { Provider } from "@/server/domain/providers";
import { providerName } from "@/server/domain/wire-names";
import { wakeProfile } from "@/server/services/connect/connected-profile";
import { type JoinInput, joinPending, takePendingAccount } from "@/server/services/connect/pending-link";
import { revokeAccount } from "@/server/services/grants/revoke-account";
import { issueGrant, type TokenResponse } from "@/server/services/grants/tokens";
import { oauthRefusal } from "@/server/services/refusal";
import type { Context } from "@/server/services/trpc";

/** A replay this soon after the first use is a client's own retry, not a theft (decisions.md, "OAuth and accounts"). */
const RETRY_GRACE_MS = 10_000;

export interface CodeExchange {
  applicationId: string;
  code: string;
  redirectUri: string;
  codeVerifier?: string;
}

export interface LinkingProfile {
  provider_name: string;
  profile_id: string;
  profile_name: string | null;
}

interface CodeRow {
  account_id: string;
  code_challenge: string | null;
  /** A calendar account that joins the account now; then there is no profile yet. */
  pending: string | null;
  profile_id: string | null;
  provider: Provider | null;
  profile_name: string | null;
}

/**
 * Exchanges an authorization code: exactly one of any number of parallel calls succeeds. A calendar account that came with a link
 * token joins its account here. A replay by the right client with the right redirect URI more than 10 seconds later revokes the
 * grant. Throws invalid_grant.
 */
export async function exchangeCode(ctx: Pick<Context, "db" | "now" | "names">, given: CodeExchange) {
  const hash = digest(given.code);
  const exchanged = await ctx.db.transaction(async (query) => {
    await takePendingAccount(query, { hash, ...given });
    const code = await takeCode(query, { hash, ...given }, ctx.now);
    if (!code) return null;
    if (!verifies(code.code_challenge, given.codeVerifier)) throw refusedCode();
    const { account_id: accountId, pending } = code;
    const joining = { applicationId: given.applicationId, accountId, codeHash: hash, now: ctx.now };
    const profile = pending === null ? profileOf(code) : await joined(ctx.db, query, { ...joining, pending });
    const { grantId, response } = await issueGrant(query, { accountId, now: ctx.now });
    await query("UPDATE codes SET grant_id = $2 WHERE hash = $1", [hash, grantId]);
    return { hasJoined: pending !== null, answer: codeResponse(response, { accountId, ...profile }, ctx) };
  });
  if (!exchanged) {
    await punishReplay(ctx.db, given, ctx.now);
    throw refusedCode();
  }
  if (exchanged.hasJoined) wakeProfile();
  return exchanged.answer;
}

async function takeCode(
  query: Query,
  { hash, applicationId, redirectUri }: { hash: Buffer } & CodeExchange,
  now: number,
): Promise<CodeRow | undefined> {
  const [row] = await query<CodeRow>(
    `WITH c AS (UPDATE codes SET used_at = $4 WHERE hash = $1 AND application_id = $2 AND redirect_uri = $3
  AND used_at IS NULL AND expires_at > $4 RETURNING account_id, profile_id, code_challenge, pending)
SELECT c.*, p.provider, p.name AS profile_name FROM c LEFT JOIN profiles p ON p.id = c.profile_id`,
    [hash, applicationId, redirectUri, new Date(now)],
  );
  return row;
}

interface ExchangedProfile {
  profileId: string;
  provider: Provider;
  name: string;
}

function profileOf({ profile_id: profileId, provider, profile_name: name }: CodeRow): ExchangedProfile {
  if (profileId === null || provider === null || name === null) throw refusedCode();
  return { profileId, provider, name };
}

/** The transaction is undone where it cannot join: the code ends unused. */
async function joined(db: Database, query: Query, input: JoinInput): Promise<ExchangedProfile> {
  const profile = await joinPending(db, query, input);
  if (profile) return profile;
  throw oauthRefusal("invalid_grant", "The calendar account was connected to another account in the meantime");
}

function codeResponse(
  response: TokenResponse,
  { accountId, profileId, provider, name }: ExchangedProfile & { accountId: string },
  { names }: Pick<Context, "names">,
) {
  const linking_profile: LinkingProfile = {
    provider_name: providerName(names, provider),
    profile_id: profileId,
    profile_name: name,
  };
  return { ...response, sub: accountId, account_id: accountId, linking_profile };
}

/** RFC 7636 §4.6 for authorization requests that sent a code_challenge (S256); without one there is nothing to verify (RFC 9700 §4.8). */
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
  const [used] = await db.query<{ account_id: string }>(
    `SELECT account_id FROM codes WHERE hash = $1 AND application_id = $2 AND redirect_uri = $3 AND grant_id IS NOT NULL AND used_at < $4`,
    [digest(code), applicationId, redirectUri, new Date(now - RETRY_GRACE_MS)],
  );
  if (used) await revokeAccount(db, used.account_id, now);
}

function refusedCode() {
  return oauthRefusal(
    "invalid_grant",
    "The code is unknown, expired, already used, or was issued for another redirect URI",
  );
}
