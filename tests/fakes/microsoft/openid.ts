import { requestedClaims } from "./aadsts";
import { graphError, knownErrors, type MicrosoftError, type WireResponse } from "./errors";
import type { AccessToken, Grants } from "./grants";
import type { WireRequest } from "./request";
import type { World } from "./state";
import { issuerOf } from "./tenants";

/** {tenant}/v2.0/.well-known/openid-configuration: sample of the page "OpenID Connect on the Microsoft identity platform". */
export function discovery(origin: string, tenant: string): object {
  const base = `${origin}/${tenant}`;
  return {
    token_endpoint: `${base}/oauth2/v2.0/token`,
    token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
    jwks_uri: `${base}/discovery/v2.0/keys`,
    response_modes_supported: ["query", "fragment", "form_post"],
    subject_types_supported: ["pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    response_types_supported: ["code", "id_token", "code id_token", "id_token token"],
    scopes_supported: ["openid", "profile", "email", "offline_access"],
    issuer: issuerOf(origin, tenant),
    request_uri_parameter_supported: false,
    userinfo_endpoint: `${origin}/oidc/userinfo`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    http_logout_supported: true,
    frontchannel_logout_supported: true,
    end_session_endpoint: `${base}/oauth2/v2.0/logout`,
    claims_supported: ["sub", "iss", "aud", "exp", "iat", "nonce", "preferred_username", "name", "tid", "ver", "email"],
    tenant_region_scope: null,
  };
}

/** {tenant}/oauth2/v2.0/logout: page "OpenID Connect", Send a sign-out request. */
export function logout({ query }: WireRequest): WireResponse {
  const back = query.get("post_logout_redirect_uri");
  if (back) return { status: 302, headers: { location: back } };
  return { status: 200, body: "<!doctype html><title>Sign out</title><p>You signed out of your account.</p>" };
}

/** /oidc/userinfo. */
export function userinfo(world: World, grants: Grants, request: WireRequest): WireResponse {
  const { sub, name, email } = bearer(world, grants, request).grant.account;
  return { status: 200, body: { sub, name, email } };
}

/** The access token of a request, of whatever kind; "" without one. */
export const tokenIn = ({ headers }: WireRequest) => /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

/** The valid access token of a user in a request; 401 otherwise. */
export function bearer(world: World, grants: Grants, request: WireRequest): AccessToken {
  const access = grants.accessTokens.get(tokenIn(request));
  if (!access || access.expires <= world.now()) throw knownErrors.invalidToken();
  const since = grants.trouble.get(access.grant.account)?.challengedSince;
  if (since !== undefined && access.issued <= since) throw claimsChallenge(world);
  return access;
}

/** Page "Claims challenges", Claims challenge header format; the text is [K]. */
function claimsChallenge(world: World): MicrosoftError {
  const claims = Buffer.from(requestedClaims).toString("base64");
  return graphError({
    status: 401,
    code: "InvalidAuthenticationToken",
    message:
      "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenIssuedBeforeRevocationTimestamp",
    headers: {
      "www-authenticate": `Bearer realm="", authorization_uri="${world.origin}/common/oauth2/authorize", client_id="00000003-0000-0000-c000-000000000000", errorDescription="Continuous access evaluation resulted in challenge", error="insufficient_claims", claims="${claims}"`,
    },
  });
}
