import type { OAuthConfig } from "next-auth/providers/oauth";
import type { BaseClient, TokenSet } from "openid-client";
import { env } from "@/server/env";

/** The issuer's claims about the user who signed in there. */
export interface SingleSignOn {
  email: string | null;
  isVerified: boolean;
}

type Claims = { sub: string } & Record<string, unknown>;

const ANSWER_TIMEOUT_MS = 10_000;

/** Configures the OpenID Connect issuer as a provider of next-auth. Empty without OIDC_ISSUER. */
export function singleSignOn(): OAuthConfig<Claims>[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env();
  if (!OIDC_ISSUER) return [];
  return [
    {
      id: "oidc",
      name: OIDC_NAME,
      type: "oauth",
      wellKnown: `${OIDC_ISSUER.replace(/\/$/, "")}/.well-known/openid-configuration`,
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      // Without a secret the proof key alone proves that the code is ours.
      client: OIDC_CLIENT_SECRET ? {} : { token_endpoint_auth_method: "none" },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      authorization: { params: { scope: "openid email profile" } },
      httpOptions: { timeout: ANSWER_TIMEOUT_MS },
      userinfo: { request: ({ client, tokens }) => claimsOf(client, tokens as TokenSet) },
      profile: (claims) => ({ id: String(claims.sub) }),
    },
  ];
}

/**
 * Reads the claims of the ID token, which is already verified. Some issuers return the email address only from the
 * userinfo endpoint.
 */
async function claimsOf(client: BaseClient, tokens: TokenSet): Promise<Claims> {
  const claims: Claims = tokens.claims();
  if (typeof claims.sub !== "string" || claims.sub.trim() === "") throw new Error("the ID token is nobody's");
  const isComplete = claims.email !== undefined && claims.email_verified !== undefined;
  if (isComplete || !tokens.access_token || !client.issuer.metadata.userinfo_endpoint) return claims;
  const fetched: Claims = await client.userinfo(tokens.access_token);
  return fetched.sub === claims.sub ? fetched : claims;
}
