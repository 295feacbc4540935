import { createHash, timingSafeEqual } from "node:crypto";
import type { Database, Query } from "@/server/db/client";
import { digest } from "@/server/db/sealed";
import { wireName } from "@/server/domain/wire-names";
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
  profile_id: string;
  code_challenge: string | null;
  provider: "prov_a" | "prov_b" | "prov_c" | "prov_d" | "hosted";
  profile_name: string;
}

/**
 * Exchanges an authorization code: exactly one of any number of parallel calls succeeds. A replay by the right client
 * with the right redirect URI more than 10 seconds later revokes the grant. Throws invalid_grant.
 */
export async function exchangeCode(ctx: Pick<Context, "db" | "now" | "names">, given: CodeExchange) {
  const answer = await ctx.db.transaction(async (query) => {
    const code = await takeCode(query, given, ctx.now);
    if (!code) return null;
    if (!verifies(code.code_challenge, given.codeVerifier)) throw refusedCode();
    const { grantId, response } = await issueGrant(query, { accountId: code.account_id, now: ctx.now });
    await query("UPDATE codes SET grant_id = $2 WHERE hash = $1", [digest(given.code), grantId]);
    return codeResponse(response, code, ctx);
  });
  if (answer) return answer;
  await punishReplay(ctx.db, given, ctx.now);
  throw refusedCode();
}

async function takeCode(query: Query, { applicationId, code, redirectUri }: CodeExchange, now: number) {
  const [row] = await query<CodeRow>(
    `WITH c AS (UPDATE codes SET used_at = $4 WHERE hash = $1 AND application_id = $2 AND redirect_uri = $3
  AND used_at IS NULL AND expires_at > $4 RETURNING account_id, profile_id, code_challenge)
SELECT c.*, p.provider, p.name AS profile_name FROM c JOIN profiles p ON p.id = c.profile_id`,
    [digest(code), applicationId, redirectUri, new Date(now)],
  );
  return row;
}

function codeResponse(response: TokenResponse, code: CodeRow, { names }: Pick<Context, "names">) {
  const linking_profile: LinkingProfile = {
    provider_name: wireName(names, code.provider),
    profile_id: code.profile_id,
    profile_name: code.profile_name,
  };
  return { ...response, sub: code.account_id, account_id: code.account_id, linking_profile };
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
